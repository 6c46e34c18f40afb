interface Place {
  readonly at: Date;
  readonly id: string;
}

/**
 * The conditions for the rows behind a place, in a list by a time and then by the id. The first one bounds the index scan, the second
 * tells rows of the same time apart.
 */
export function rowsBehind(field: string, direction: 1 | -1, { at, id }: Place): object[] {
  const [upTo, behind] = direction === -1 ? ['$lte', '$lt'] : ['$gte', '$gt'];
  return [{ [field]: { [upTo]: at } }, { $or: [{ [field]: { [behind]: at } }, { _id: { [behind]: id } }] }];
}
