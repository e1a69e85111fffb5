/** The buttons of the simulated payer. The one in the foreground is what mostly comes next. */
import { following, isSimulation, simulations } from '../payer-panel.ts'

const panel = document.querySelector<HTMLElement>('.payer')
const outcome = panel?.querySelector<HTMLElement>('.outcome')
const next = panel?.querySelector<HTMLButtonElement>('.next')
const others = panel?.querySelector('details')

async function simulate({ dataset }: HTMLButtonElement): Promise<void> {
  const { simulate: name = '' } = dataset
  if (!outcome || !next || !others || !isSimulation(name)) return
  others.open = false
  outcome.textContent = '…'
  const { isDone, text } = await send(`/simulate/${name}`)
  outcome.textContent = text
  if (!isDone) return
  const then = following[name]
  next.hidden = then === null
  if (then === null) return
  next.dataset.simulate = then
  next.textContent = simulations[then]
}

async function send(path: string): Promise<{ isDone: boolean; text: string }> {
  try {
    const response = await fetch(path, { method: 'POST' })
    return { isDone: response.ok, text: await response.text() }
  } catch {
    return { isDone: false, text: 'The shop does not answer.' }
  }
}

for (const button of panel?.querySelectorAll<HTMLButtonElement>('button[data-simulate]') ?? []) {
  button.addEventListener('click', () => simulate(button))
}
