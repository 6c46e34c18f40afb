/** Texts that a mail program cleans, or a mail server understands, to the same mailbox; none is an address to be taken. */
export const otherWaysToWrite = (email: string): string[] => {
  const [local = '', domain = ''] = email.split('@');
  return [
    ...[`<${email}>`, `"${local}"@${domain}`, `${local}(x)@${domain}`, `(x)${email}`, `x:${email};`, `${email},`],
    ...[`\u0001${email}`, `${local.slice(0, 1)}\u0002${local.slice(1)}@${domain}`, `${local}\u200b@${domain}`],
    ...[`${local}@${domain.replace('e', '\uff45')}`, `${local}\\@${domain}`, `${local}@[127.0.0.1]`, `.${email}`],
    ...[`${local}..a@${domain}`, `${email}.`, `${local}@-${domain}`, `${local}@${domain.replace('.', '\u3002')}`],
  ];
};
