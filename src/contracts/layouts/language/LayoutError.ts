import { CodedError } from '../../../primitives/errors.ts'

/** A layout cannot be used as it is written. `place` says where it stands: a line of a table, or an entry of a file. */
export class LayoutError extends CodedError {
  readonly code = 'invalid_layout'
  readonly place: string

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place}: ${problem}`, options)
    this.place = place
  }
}
