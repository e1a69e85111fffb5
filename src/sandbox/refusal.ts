/** Thrown where the service refuses: it becomes an answer with this status and `{ message }`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
