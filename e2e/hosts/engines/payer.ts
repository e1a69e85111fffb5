/** What a payer does on a page, in whatever browser. */

/** A page that is open in a browser. */
export interface Visit {
  /** Presses the link with this text. */
  follow(link: string): Promise<void>
  /** Goes on in the frame that the page has. */
  enterFrame(): Promise<void>
  /** Presses a button of the page around the frame, or of the page if it has no frame. */
  press(button: string): Promise<void>
  /** Types into the field that has the focus. */
  type(text: string): Promise<void>
  /** Picks a method by its name, and waits for an address. */
  choose(method: string): Promise<void>
  /** Reads the exact text of a field, as it is copied. */
  read(name: string): Promise<string>
  /** Waits until the page shows the screen with this heading. @throws Error after 100 seconds. */
  shows(title: string): Promise<void>
  /** Number of fields with something to copy: addresses, amounts, tags. */
  countFields(): Promise<number>
  /** Runs a script in the page, and resolves with its value. */
  run(script: string): Promise<unknown>
  /** Opens another page in the same place. */
  goTo(url: string): Promise<void>
  /**
   * Errors and warnings of this page so far: from the console where the driver reads it, and from
   * `complaints`, which the page itself fills.
   */
  complaints(): Promise<readonly string[]>
  close(): Promise<void>
}

/** A browser that was started. */
export interface Payer {
  /** Its name and version. */
  readonly engine: string
  open(url: string): Promise<Visit>
  close(): Promise<void>
}

/** A payment is told once its order is certain, a minute after the order was made. */
export const shownWithinMs = 100_000
