import Type from 'typebox';
import { compileSchema } from '../../schemas/compile-schema.ts';
import type { LanguageModel, Question } from './language-model.ts';
import { AiUnavailable, type CategoryClassifier, type ClassificationInput } from './port.ts';

const instructions =
  'You sort second-hand items into the categories of a marketplace. Field "text" is the title and description of one item, ' +
  'mostly in Swedish; field "categories" lists each category with typical words. ' +
  'Answer with the id of the category that fits best, or null when none fits.';

/** Enough words for the meaning; more would cost money in every call. */
const wordsMax = 15;
const textLengthMax = 2_000;

/** Lets a language model choose. An answer outside the choices is refused, not corrected. */
export function createModelClassifier(model: LanguageModel): CategoryClassifier {
  return { classify: async (input) => (await model.ask(questionFor(input))).category };
}

interface Answer {
  readonly category: string | null;
}

const answerForm = compileSchema(Type.Object({ category: Type.Union([Type.String(), Type.Null()]) }));

function questionFor({ text, choices }: ClassificationInput): Question<Answer> {
  const ids = choices.map(({ id }) => id);
  return {
    task: 'item_category',
    instructions,
    data: {
      text: text.slice(0, textLengthMax),
      categories: choices.map(({ id, words }) => ({ id, words: words.slice(0, wordsMax).join(', ') })),
    },
    schema: {
      type: 'object',
      properties: { category: { type: ['string', 'null'], enum: [...ids, null] } },
      required: ['category'],
      additionalProperties: false,
    },
    read: (answer) => {
      const isChoice = answerForm.accepts(answer) && (answer.category === null || ids.includes(answer.category));
      if (!isChoice) throw new AiUnavailable('unusable_answer', 'the model chose something that was not offered');
      return { category: answer.category };
    },
  };
}
