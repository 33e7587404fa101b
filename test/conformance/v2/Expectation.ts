import type { JsonValue } from '../../../src/api/core/json/parseJson.ts'

/** What an answer must be. */
export type Expectation =
  /** Success with exactly this result. */
  | { readonly kind: 'answer'; readonly result: JsonValue | typeof anything }
  /** Success with a result of the same members, types and encodings. */
  | { readonly kind: 'shape'; readonly result: JsonValue }
  /** Success, and the result passes a check that says what is wrong with it. */
  | { readonly kind: 'check'; readonly check: (result: JsonValue) => string | undefined }
  | Refusal
  /** Any of several. */
  | { readonly kind: 'either'; readonly options: readonly Expectation[] }
  | { readonly kind: 'incomparable'; readonly reason: string }

export type Refusal = {
  readonly kind: 'refusal'
  readonly status: number
  /** Any of these: a whole text, or a pattern in it. */
  readonly texts: readonly (string | RegExp)[]
}

/** Stands in an expected result for a value that is not compared. */
export const anything = '\u0000anything' as const

export const answer = (result: JsonValue): Expectation => ({ kind: 'answer', result })

export const refusal = (status: number, ...texts: (string | RegExp)[]): Refusal => ({ kind: 'refusal', status, texts })

export const either = (...options: Expectation[]): Expectation => ({ kind: 'either', options })

export const incomparable = (reason: string): Expectation => ({ kind: 'incomparable', reason })
