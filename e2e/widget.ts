/** Finds the parts of the widget as a payer does, by name and role, in or out of a shadow root. */
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { en, type Texts } from '../src/locales/en.ts'
import { fill } from '../src/locales/format.ts'

/** The parts of one widget, and what a payer does with them. */
export interface Widget {
  /** The whole widget. */
  readonly root: Locator
  /** The payment code. */
  readonly code: Locator
  readonly timer: Locator
  /** The text at the bottom, about the present state. */
  readonly foot: Locator
  /** The live region, whose changes a screen reader announces. */
  readonly live: Locator
  /** The value of a field to copy, in English `en.amount`, `en.address` or `en.destinationTag`. */
  field(name: string): Locator
  /** The button that copies a field, before it is pressed. */
  copyButton(name: string): Locator
  /** Reads the exact text of a field, as it is copied. */
  read(name: string): Promise<string>
  /** Picks a method by its name, and waits for the address. */
  choose(method: string): Promise<void>
  /** Answers where the crypto is: `en.whereHere`, `en.whereOther` or `en.whereExchange`. */
  pick(place: string): Promise<void>
  /** The heading of a screen. */
  title(name: string): Locator
  /** Waits for the screen with this heading. */
  shows(title: string): Promise<void>
  /** Waits until there is an address to send to. */
  asksForMoney(): Promise<void>
  /** Counts the parts of a payment panel on the page: addresses, amounts, codes and timers. */
  countPanel(): Promise<number>
}

/** Finds the widget on a page. @param texts - The texts of the language that the widget shows. */
export function widgetOn(page: Page | FrameLocator, texts: Texts = en): Widget {
  const root = page.locator('.pw')
  const title = (name: string) => root.getByRole('heading', { name, exact: true })
  const copyButton = (name: string) => page.getByRole('button', { name: fill(texts.copyName, { name }), exact: true })
  const field = (name: string) =>
    root
      .locator('.pw-field, .pw-sum')
      .filter({ has: copyButton(name) })
      .locator('.pw-exact, .pw-number')
  const asksForMoney = () => expect(field(texts.address)).toBeVisible()
  return {
    root,
    code: root.locator('.pw-qr-code'),
    timer: root.getByRole('timer'),
    foot: root.locator('.pw-foot'),
    live: root.getByRole('status'),
    field,
    copyButton,
    title,
    read: async (name) => (await field(name).textContent()) ?? '',
    choose: async (method) => {
      await root.getByRole('button', { name: new RegExp(`^${method}\\b`) }).click()
      await asksForMoney()
    },
    pick: (place) => root.getByRole('radio', { name: place }).check(),
    shows: (name) => expect(title(name)).toBeVisible(),
    asksForMoney,
    countPanel: () => root.locator('.pw-exact, .pw-qr-code, [role="timer"]').count(),
  }
}

/** Converts a countdown such as `19:42` to seconds. */
export function secondsOf(text: string): number {
  const [minutes = 'none', seconds = 'none'] = text.split(':')
  return Number(minutes) * 60 + Number(seconds)
}

/** Whether any character of a text is drawn to the left of the one before it on the same line. */
export function drawnBackwards(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const boxes: DOMRect[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const range = document.createRange()
      for (let at = 0; at < (node.textContent ?? '').length; at += 1) {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        boxes.push(range.getBoundingClientRect())
      }
    }
    return boxes.some((box, at) => {
      const next = boxes[at + 1]
      return next !== undefined && Math.abs(next.top - box.top) < 2 && next.left < box.left
    })
  })
}
