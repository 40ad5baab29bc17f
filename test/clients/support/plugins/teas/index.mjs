/** An action that the agent runs itself. */
export default {
  name: 'teas',
  actions: [{ name: 'LOOK_UP_TEA', description: 'Looks up a tea.', handler: async () => ({ success: true, text: 'Sencha is green.' }) }],
};
