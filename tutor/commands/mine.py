"""`tutor mine`: the models that run on the functions a learner has written."""

import argparse
from dataclasses import replace
from pathlib import Path

from tutor.commands.collect import collect
from tutor.commands.copy import refuse
from tutor.commands.options import folder_there
from tutor.commands.progress import work_folder
from tutor.files import reason
from tutor.learner import progress_file
from tutor.learner.language import speak_as_in
from tutor.learner.one_at_a_time import BusyError, one_at_a_time
from tutor.learner.own_answers import restore
from tutor.learner.own_file import FILE
from tutor.learner.own_parts import MODELS, my_parts
from tutor.learner.own_record import load_record
from tutor.say import PlainError, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's options."""
    parser.add_argument(
        "text", nargs="?", help=say('A phrase to translate, such as "May 3, 2024".')
    )
    parser.add_argument(
        "--workspace", type=folder_there, metavar="FOLDER", help=say("Your folder.")
    )
    parser.add_argument(
        "--train", action="store_true", help=say("Train the plain model on 95 sentences.")
    )
    parser.add_argument("--write", metavar="PROMPT", help=say("Let SmolLM2 go on writing."))
    parser.add_argument(
        "--collect",
        action="store_true",
        help=say("Take answers out of saved notebooks and check them."),
    )
    parser.add_argument(
        "--restore", metavar="EXERCISE", help=say("Bring your last right answer back.")
    )
    parser.add_argument(
        "--keep", choices=["on", "off"], help=say("Whether `check` keeps right answers.")
    )


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked; without options, list the parts."""
    folder = arguments.workspace or work_folder()
    speak_as_in(folder)
    if progress_file.place(folder) is None:
        refuse(say("There is no workspace in {folder}. To make one: tutor lab", folder=folder))
        return 1
    try:
        return _run(arguments, folder)
    except (BusyError, PlainError) as why:
        refuse(str(why))
    except BrokenPipeError:
        raise  # whoever reads what is printed has seen enough
    except OSError as error:
        refuse(say("Not done: {reason}", reason=reason(error)))
    return 1


def _run(arguments: argparse.Namespace, folder: Path) -> int:
    if arguments.keep:
        _switch(folder, arguments.keep == "on")
    elif arguments.restore:
        print(restore(folder, arguments.restore))
    elif arguments.collect:
        _collect(folder)
    elif arguments.train:
        from tutor.models.plain_from_parts import learn

        parts = my_parts("plain", folder)
        print(parts)
        print(learn(parts))
    elif arguments.text is not None:
        _translate(arguments.text, folder)
    elif arguments.write is not None:
        _write(arguments.write, folder)
    else:
        _list(folder)
    return 0


def _list(folder: Path) -> None:
    """List each model's parts."""
    print(say("Your answers are kept in {file}.", file=folder / FILE))
    if not load_record(folder).keeps:
        print(say("Keeping is switched off. To switch it on: tutor mine --keep on"))
    for name in MODELS:
        parts = my_parts(name, folder)
        print(f"\n{name}: {parts}")


def _collect(folder: Path) -> None:
    """Bring in the answers of saved notebooks."""
    lines = [*collect(folder)]
    print("\n".join(lines or [say("Nothing new was found in {folder}.", folder=folder)]))


def _switch(folder: Path, on: bool) -> None:
    with one_at_a_time(folder):
        replace(load_record(folder), keeps=on).write(folder)
    if on:
        print(say("`check` keeps right answers in {file}.", file=FILE))
    else:
        print(say("`check` keeps no answers. What is in {file} stays.", file=FILE))


def _translate(text: str, folder: Path) -> None:
    from tutor.models.translator_from_parts import translator_of
    from tutor.training.experiment import load_trained

    parts = my_parts("translator", folder)
    print(parts)
    print(translator_of(parts, *load_trained("phrasebook-ko"))(text))


def _write(prompt: str, folder: Path) -> None:
    from tutor.models.speaker_from_parts import speak

    parts = my_parts("speaker", folder)
    print(parts)
    print(speak(parts, prompt))
