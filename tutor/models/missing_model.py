"""What is said where a lesson asks for a pretrained model that is not installed."""

from tutor.say import PlainError, say


class MissingModelError(PlainError, ModuleNotFoundError):
    """A pretrained model is optional and not installed; says how to install it."""

    def __init__(self, model: str, megabytes: int, install: str) -> None:
        super().__init__(
            say(
                "The model {model} is not installed; it is optional and {megabytes} MB. To type "
                "words of your own, run in a new cell\n\n    %{install}\n\nand restart the kernel.",
                model=model,
                megabytes=megabytes,
                install=install,
            )
        )
