import { ParseError } from './errors.ts'

/** A rate limit: requests per second on average, and the largest burst. */
export type Rate = { readonly perSecond: number; readonly burst: number }

const MAX_PER_SECOND = 1_000_000
const form = /^(\d{1,7}(?:\.\d{1,3})?)(?::(\d{1,8}))?$/

/** Parses `10`, or `10:40` for a burst of 40. The default burst is one second's worth, at least 1. */
export const parseRate = (text: string): Rate => {
  const [, rate, burst] = form.exec(text) ?? []
  const perSecond = Number(rate)
  if (rate === undefined || perSecond <= 0 || perSecond > MAX_PER_SECOND || burst === '0') {
    throw new ParseError('requests per second, such as 10, or 10:40 where 40 may come at once', text)
  }
  return { perSecond, burst: burst === undefined ? Math.max(1, Math.ceil(perSecond)) : Number(burst) }
}

export const formatRate = ({ perSecond, burst }: Rate): string =>
  burst === Math.max(1, Math.ceil(perSecond)) ? String(perSecond) : `${perSecond}:${burst}`
