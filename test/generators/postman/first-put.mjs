// The first PUT of the collection, sent as Postman does it: what it prints is compared by npm run checks -- clients.
import { readFileSync } from 'node:fs';
import newman from 'newman';

const { ITEMBRIDGE_URL: baseUrl, ITEMBRIDGE_API_KEY: apiKey } = process.env;
const summary = await new Promise((resolve, reject) => {
  newman.run(
    {
      collection: JSON.parse(readFileSync(process.argv[2], 'utf8')),
      folder: 'Create or update an item',
      envVar: [
        { key: 'baseUrl', value: baseUrl },
        { key: 'apiKey', value: apiKey },
      ],
    },
    (error, result) => (error === null ? resolve(result) : reject(error)),
  );
});
const [{ response }] = summary.run.executions;
console.log(JSON.stringify({ status: response.code, message: response.json().message }));
