// Rules of our own for oxlint (.oxlintrc.json).

const rule = (message, create) => ({
  meta: { type: 'problem', schema: [], messages: { found: message } },
  create,
});
const noSuchNode = (type, message) =>
  rule(message, (context) => ({ [type]: (node) => context.report({ node, messageId: 'found' }) }));

/** A disabled rule without a reason can't be told from a forgotten one. */
const escapeSaysWhy = rule('Say why: {{directive}} <rule> -- <reason>', (context) => ({
  Program() {
    for (const comment of context.sourceCode.getAllComments()) {
      const directive = /^\s*((?:eslint|oxlint)-disable(?:-next-line|-line)?|@ts-expect-error)\b(.*)$/s.exec(
        comment.value,
      );
      if (directive === null) continue;
      const [, name, rest] = directive;
      const saysWhy = name === '@ts-expect-error' ? rest.trim().length > 9 : /\s--\s+\S.{9}/s.test(rest);
      if (!saysWhy) context.report({ loc: comment.loc, messageId: 'found', data: { directive: name } });
    }
  },
}));

const presentMoment = rule('Say which moment: present() of test/support/clock.ts, or a fixed one.', (context) => ({
  NewExpression(node) {
    const isPresent = node.callee.name === 'Date' && node.arguments.length === 0;
    if (isPresent) context.report({ node, messageId: 'found' });
  },
}));

export default {
  meta: { name: 'local' },
  rules: {
    'escape-says-why': escapeSaysWhy,
    'no-barrel': noSuchNode('ExportAllDeclaration', 'No barrels: import from the file that has it.'),
    'no-default-export': noSuchNode(
      'ExportDefaultDeclaration',
      'Named exports only, so that a name is the same everywhere.',
    ),
    'no-present-moment': presentMoment,
    'no-for-in': noSuchNode('ForInStatement', 'Use Object.keys or Object.entries: for…in walks the prototype too.'),
  },
};
