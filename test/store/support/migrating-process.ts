import mongoose from 'mongoose';
import { ensureIndexes } from '../../../store/schema/ensure-indexes.ts';
import { structures } from './structures.ts';

// A process of the product that starts: `URI DATABASE first|second`. It waits for the word, so that several begin at once.
const [, , uri = '', dbName = '', release = 'first'] = process.argv;
const connection = await mongoose.createConnection(uri, { dbName, autoIndex: false }).asPromise();
process.send?.('connected');
await new Promise((resolve) => process.once('message', resolve));
await ensureIndexes(connection, release === 'second' ? structures.second() : structures.first());
await connection.close();
process.disconnect();
