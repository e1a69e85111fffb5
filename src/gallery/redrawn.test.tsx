// @vitest-environment jsdom
/**
 * What the widget does when something takes its page apart. Run with both drawing libraries
 * (scripts/targets/tests.ts).
 */
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadLater } from '#later'
import { Redrawn } from '../react/Redrawn.tsx'
import { Widget } from '../react/Widget.tsx'
import { standingHandle } from './standing-handle.ts'
import { galleryStates } from './states.ts'

const state = (name: string) => {
  const found = galleryStates('XRP').find((each) => each.name === name)
  if (!found) throw new Error(`There is no state ${name}`)
  return standingHandle(found)
}
const onError = vi.fn()
let place: HTMLElement
let root: ReturnType<typeof createRoot>

beforeAll(() => Promise.resolve(loadLater).then((load?: typeof loadLater) => load?.()))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  // React says of each error that it was caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onError.mockClear()
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
})
afterEach(async () => {
  root.unmount()
  await pass(0)
  vi.useRealTimers()
  place.remove()
})

/** Lets time pass, and the drawing library finish. */
async function pass(ms: number): Promise<void> {
  for (let task = 0; task < 5; task++) {
    await vi.advanceTimersByTimeAsync(task === 0 ? ms : 0)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function show(handle: ReturnType<typeof standingHandle>): Promise<void> {
  root.render(
    <div>
      <h1>The shop</h1>
      <Redrawn onError={onError}>
        <Widget endpoint="/paywindow" handle={handle} locale="en" />
      </Redrawn>
    </div>,
  )
  await pass(0)
}

const heading = () => place.querySelector('.pw-title')?.textContent

describe('a widget that something else takes apart', () => {
  it.each(['.pw-body > *', '.pw-time'])('is drawn anew: without %s', async (selector) => {
    await show(state('waiting'))
    for (const part of place.querySelectorAll(selector)) part.remove()
    await show(state('seen'))
    await pass(10)
    expect(place.querySelectorAll('.pw-title')).toHaveLength(1)
    expect(heading()).toBe('We see your payment. Confirming…')
    expect(place.querySelector('h1')?.textContent).toBe('The shop')
    for (const [{ code }] of onError.mock.calls) expect(code).toBe('internal')
  })

  it('leaves the rest of the page alone when it cannot be drawn, says so once, and comes back', async () => {
    const broken = {
      ...state('waiting'),
      endsAtMs: () => {
        throw new Error('no end')
      },
    }
    await show(broken)
    for (let second = 0; second < 10; second++) await pass(1_000)
    expect(place.querySelector('h1')?.textContent).toBe('The shop')
    expect(heading()).toBeUndefined()
    expect(place.textContent).toContain('Cannot check now')
    expect(onError).toHaveBeenCalledTimes(1)
    await show(state('waiting'))
    await pass(3_000)
    expect(heading()).toBe('Send exactly 22.841 XRP')
  })
})
