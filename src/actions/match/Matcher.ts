import { callContract } from '../patterns/core.ts'
import type { AccountFacts } from '../trace/AccountFacts.ts'
import { type Block, type BlockKind, foldBlocks, walkBlocks } from '../tree/Block.ts'

/** Conditions on the neighbours of a block. */
export type Surroundings = {
  /** It may be missing. */
  readonly optional?: boolean
  /** Takes excess messages along. Default: true. */
  readonly withExcesses?: boolean
  /** The required parent. */
  readonly previous?: Pattern
  /** Required children: takes each that fits, and at least one unless optional. */
  readonly next?: Pattern
  /** Required children, each once, in any order: takes the first free one that fits. */
  readonly all?: readonly Pattern[]
}

/** Conditions on a block and its neighbours. */
export type Pattern = Surroundings & {
  /** Finds the block, and those that it brings along; `undefined` where it does not fit. */
  take(block: Block): readonly Block[] | undefined
}

const EXCESSES = 0xd53276db
const BOUNCE = 0xffffffff

const isPlainCall = (block: Block, opcode: number): boolean =>
  block.is(callContract) && block.data.opcode === opcode && block.container === undefined

/** The blocks around one that must be there, without itself; `undefined` where some are missing. */
const takeSurroundings = (block: Block, { previous, next, all }: Surroundings): Block[] | undefined => {
  const taken: Block[] = []
  const below = next === undefined ? [] : takeEach(block, next)
  const listed = all === undefined ? [] : takeAll(block, all)
  const above = previous === undefined ? [] : takePrevious(block, previous)
  if (below === undefined || listed === undefined || above === undefined) return undefined
  taken.push(...below, ...listed, ...above)
  return taken
}

const takeEach = (block: Block, pattern: Pattern): Block[] | undefined => {
  const taken: Block[] = []
  for (const next of block.next) {
    const found = pattern.take(next)
    if (found !== undefined) taken.push(...found)
  }
  return taken.length === 0 && pattern.optional !== true ? undefined : taken
}

const takeAll = (block: Block, patterns: readonly Pattern[]): Block[] | undefined => {
  const taken: Block[] = []
  const free = [...block.next]
  for (const pattern of patterns) {
    const found = takeFirst(free, pattern)
    if (found !== undefined) taken.push(...found)
    else if (pattern.optional !== true) return undefined
  }
  return taken
}

const takeFirst = (free: Block[], pattern: Pattern): readonly Block[] | undefined => {
  for (const [at, block] of free.entries()) {
    const found = pattern.take(block)
    if (found === undefined) continue
    free.splice(at, 1)
    return found
  }
  return undefined
}

const takePrevious = (block: Block, pattern: Pattern): readonly Block[] | undefined => {
  const found = block.previous === undefined ? undefined : pattern.take(block.previous)
  return found ?? (pattern.optional === true ? [] : undefined)
}

/** Excesses and bounces that go with a block, whatever it is. */
const dragged = (block: Block, withExcesses: boolean): Block[] =>
  block.next.filter((next) => (withExcesses && isPlainCall(next, EXCESSES)) || isPlainCall(next, BOUNCE))

/** A block that passes a test. */
export const when = (test: (block: Block) => boolean, around: Surroundings = {}): Pattern => ({
  ...around,
  take: (block) => {
    if (block.container !== undefined || !test(block)) return undefined
    const others = takeSurroundings(block, around)
    return others && [block, ...others, ...dragged(block, around.withExcesses !== false)]
  },
})

/** A plain call with one of these opcodes, logs among them. */
export const call = (opcodes: number | readonly number[], around: Surroundings = {}): Pattern => {
  const wanted = typeof opcodes === 'number' ? [opcodes] : opcodes
  return when(
    (block) => block.is(callContract) && block.data.opcode !== undefined && wanted.includes(block.data.opcode),
    around,
  )
}

/** A block of one of these kinds. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of all sorts of data
export const kindOf = (kinds: BlockKind<any> | readonly BlockKind<any>[], around: Surroundings = {}): Pattern => {
  const wanted: readonly unknown[] = Array.isArray(kinds) ? kinds : [kinds]
  return when((block) => wanted.includes(block.kind), around)
}

/** The first of several that fits. */
export const oneOf = (
  patterns: readonly Pattern[],
  { optional = false }: { readonly optional?: boolean } = {},
): Pattern => ({
  optional,
  take: (block) => {
    for (const pattern of patterns) {
      const found = pattern.take(block)
      if (found !== undefined) return found
    }
    return undefined
  },
})

/** The input of a pattern. */
export type MatchContext = { readonly facts: AccountFacts }

/** The block that a pattern began with, and all that belong to it. */
export type Match = {
  readonly anchor: Block
  /** The others, in the order in which they were found. */
  readonly others: readonly Block[]
}

/** Finds blocks that belong together, and makes one of them. */
export type Matcher = {
  /** Tells it from others where matches are counted. */
  readonly name: string
  /** Where to look closer. Cheap: it is asked of every block. */
  isAnchor(block: Block, context: MatchContext): boolean
  readonly around: Surroundings
  /** Makes the block or the blocks, by `fold` as a rule; throws where it is none after all. It changes nothing before it is sure. */
  build(match: Match, context: MatchContext): void
}

/** The whole match as one block. */
export const foldMatch = <Data>(
  { anchor, others }: Match,
  kind: BlockKind<Data>,
  data: Data,
  options: { readonly failed?: boolean } = {},
): Block<Data> => foldBlocks(kind, data, [anchor, ...others], options)

/** Told of every match that was dropped, and why. */
export type OnDropped = (matcher: Matcher, error: unknown) => void

/** Lets every matcher go over the tree, one after the other. A match that fails is dropped, and nothing else. */
export const runMatchers = (
  root: Block,
  matchers: readonly Matcher[],
  context: MatchContext,
  onDropped: OnDropped,
): void => {
  for (const matcher of matchers) {
    for (const block of walkBlocks(root)) {
      if (block === root) continue
      try {
        if (!matcher.isAnchor(block, context)) continue
        const others = takeSurroundings(block, matcher.around)
        if (others !== undefined) matcher.build({ anchor: block, others }, context)
      } catch (error) {
        onDropped(matcher, error)
      }
    }
  }
}
