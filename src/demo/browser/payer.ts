/** The buttons of the simulated payer. */

const panel = document.querySelector<HTMLElement>('.payer')
const outcome = panel?.querySelector<HTMLElement>('.outcome')

async function simulate(button: HTMLButtonElement): Promise<void> {
  if (!outcome) return
  outcome.textContent = '…'
  outcome.textContent = await send(`/simulate/${button.dataset.simulate}`)
}

async function send(path: string): Promise<string> {
  try {
    const response = await fetch(path, { method: 'POST' })
    return await response.text()
  } catch {
    return 'The shop does not answer.'
  }
}

for (const button of panel?.querySelectorAll<HTMLButtonElement>('button[data-simulate]') ?? []) {
  button.addEventListener('click', () => simulate(button))
}
