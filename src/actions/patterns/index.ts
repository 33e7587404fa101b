import type { Matcher } from '../match/Matcher.ts'
import type { Block } from '../tree/Block.ts'

/** In the order in which they go over a trace: what one makes is what the next ones see. */
export const matchers: readonly Matcher[] = []

/** What is put together at the end, when every match has been made. */
export const mergers: readonly ((root: Block) => void)[] = []
