/** What the decoding of one body took. */
type DecodeCost = { readonly text: number; readonly steps: number }

/** Limits what all decoded bodies of one answer may cost together. */
export class DecodeBudget {
  private text: number
  private steps: number

  /** Characters of JSON, and cells that are entered. The body that goes beyond is still decoded, none after it is. */
  constructor({ text, steps }: DecodeCost) {
    this.text = text
    this.steps = steps
  }

  get isSpent(): boolean {
    return this.text <= 0 || this.steps <= 0
  }

  take({ text, steps }: DecodeCost): void {
    this.text -= text
    this.steps -= steps
  }
}
