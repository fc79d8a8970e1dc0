// What is said to a reader, in their language: English, unless words.json holds another.
"use strict";
const SAID = { language: "en", words: {} };

// Give a sentence in the reader's language, its gaps filled; without gaps, as it stands.
function spoken(sentence, gaps = {}) {
  const said = SAID.words[sentence] ?? sentence;
  return said.replace(/\{(\w+)\}/g, (gap, name) => gaps[name] ?? gap);
}

// Read words.json, which `tutor lab` writes; English is spoken where there is none.
async function learnWords(address) {
  const answer = await fetch(address).catch(() => null);
  if (answer?.ok) Object.assign(SAID, await answer.json());
}
