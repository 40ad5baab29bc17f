import { definePlugin } from 'parley-server/plugin-sdk';

/** A folder of pages, and a route that the page asks for its data. */
export default definePlugin({
  name: 'static-pages',
  description: 'A page that says which agent it is talking to',
  version: '1.0.0',
  routes: [
    {
      type: 'GET',
      path: '/static-pages/agent.json',
      handler(_request, response, runtime) {
        response.json({ name: runtime.character.name });
      },
    },
    { type: 'STATIC', path: '/static-pages', filePath: 'public', name: 'Agent', public: true },
  ],
});
