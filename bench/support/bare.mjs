// What `GET /api/agents` is compared with: Express alone, set up as sparingly as it can be, with the same answer.
import express from 'express';

export default function main() {
  process.once('message', ({ path, body }) => {
    const answer = JSON.parse(body);
    const app = express();
    app.disable('x-powered-by');
    app.set('etag', false);
    app.get(path, (_request, response) => {
      response.json(answer);
    });
    const server = app.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
  });
}
