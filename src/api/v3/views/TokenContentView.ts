import { Type } from 'typebox'

/** What the chain says of a token: text by the names of TEP-64. */
export const TokenContentView = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])

/** The writer keeps texts only. */
export const toTokenContentView = (content: unknown): Record<string, string> | null =>
  content === undefined ? null : (content as Record<string, string>)
