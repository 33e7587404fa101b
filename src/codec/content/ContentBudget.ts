import { CodedError } from '../../primitives/errors.ts'

/** Content is longer than is read here. */
export class ContentLimitError extends CodedError {
  readonly code = 'content_limit'
}

/** Cells and bytes of a whole content. Cells may be shared, so a small bag of them can spell out a large content. */
export type ContentLimits = { readonly maxCells: number; readonly maxBytes: number }

/** Counts what is read of one content, parts that turned out unreadable included. */
export class ContentBudget {
  private readonly limits: ContentLimits
  /** So many so far. */
  cells = 0
  private bits = 0

  constructor(limits: ContentLimits) {
    this.limits = limits
  }

  /** One more cell with this many bits of content. */
  takeCell(bits: number): void {
    const { maxCells, maxBytes } = this.limits
    this.cells++
    this.bits += bits
    if (this.cells > maxCells) {
      throw new ContentLimitError(`Content runs through more than ${maxCells} cells, the most that is read here.`)
    }
    if (this.bits > 8 * maxBytes) {
      throw new ContentLimitError(`Content is longer than ${maxBytes} bytes, the most that is read here.`)
    }
  }
}

/** Cells do not hold the text, token content or record that was looked for, or more of it than is taken. */
export class ContentError extends CodedError {
  readonly code = 'invalid_content'
}
