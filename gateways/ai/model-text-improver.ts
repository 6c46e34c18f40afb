import Type from 'typebox';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { notBlankPattern } from '../../schemas/validation-error.ts';
import { descriptionLengthMax } from '../../schemas/items/item-request.ts';
import { text } from '../../schemas/fields.ts';
import type { LanguageModel, Question } from './language-model.ts';
import { AiUnavailable, type ItemText, type TextImprover, type TextToImprove } from './port.ts';

const instructions =
  'You improve advertisements of second-hand items. Fields "title" and "description" are what the seller wrote, "category" is its class. ' +
  'Rewrite both in the same language, correct and inviting, in plain text without markup, links or contact details. ' +
  'Keep every fact, number and name; add none. Title: at most 255 characters. Description: at most 20000 characters, empty when nothing is known.';

/** Lets a language model rewrite the text. The answer must be a valid item text, or it is refused. */
export function createModelTextImprover(model: LanguageModel): TextImprover {
  return { improve: (given) => model.ask(questionFor(given)) };
}

/** The same rules as for an upsert. */
const answerForm = compileSchema(
  Type.Object({
    title: text({ description: 'Improved title', minLength: 1, pattern: notBlankPattern }),
    description: text({ description: 'Improved description', maxLength: descriptionLengthMax }),
  }),
);

function questionFor(given: TextToImprove): Question<ItemText> {
  return {
    task: 'improved_item_text',
    instructions,
    askedFor: given.accountId,
    data: { title: given.title, description: given.description, category: given.domain },
    schema: {
      type: 'object',
      properties: { title: { type: 'string' }, description: { type: 'string' } },
      required: ['title', 'description'],
      additionalProperties: false,
    },
    read: (answer) => readText(answer, given),
  };
}

function readText(answer: unknown, given: ItemText): ItemText {
  if (!answerForm.accepts(answer))
    throw new AiUnavailable('unusable_answer', "the model's text is not of the form asked for or beyond its limits");
  const improved = { title: answer.title.trim(), description: answer.description.trim() };
  if (addsForeignMatter(improved, given))
    throw new AiUnavailable('unusable_answer', "the model's text has links or markup that the seller's had not");
  return improved;
}

const linkOrMarkup = /<\/?[a-z!][^<>]*>|\bhttps?:\/\/\S+|\bwww\.\S+/gi;

/**
 * Links, addresses and markup are what a hijacked prompt would put into an advertisement. Addresses are searched word by word,
 * because an expression over the whole text would run for hours on a text of `@` alone.
 */
const foreignMatterIn = (text: string): string[] => [
  ...(text.match(linkOrMarkup) ?? []),
  ...text.split(/\s+/).filter(isAddress),
];

/** The form of an email address, roughly: text, `@`, text, a dot, text. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@', 1);
  const dot = at === -1 ? -1 : word.indexOf('.', at + 2);
  return dot !== -1 && dot < word.length - 1;
}

function addsForeignMatter(improved: ItemText, given: ItemText): boolean {
  const known = `${given.title}\n${given.description}`.toLowerCase();
  const found = foreignMatterIn(`${improved.title}\n${improved.description}`);
  return found.some((piece) => !known.includes(piece.toLowerCase()));
}
