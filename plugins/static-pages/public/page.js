const { document, location } = globalThis;

const answer = await fetch(`agent.json${location.search}`);
if (answer.ok) {
  const { name } = await answer.json();
  document.querySelector('#name').textContent = name;
}
