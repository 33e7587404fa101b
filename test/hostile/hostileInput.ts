import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { assembleBag, parseBag, type RawBag } from '../support/RawBag.ts'
import { binTreeBomb, chainBag, dictBomb, merkleTree, shardBomb, snakeBomb, stackBomb } from './bombs.ts'
import { mutateBytes } from './mutateBytes.ts'
import { graft, mutateCells } from './mutateCells.ts'
import { Random } from './Random.ts'

export type HostileInput = { readonly kind: string; readonly bytes: Uint8Array }

type Source = { readonly bags: readonly Uint8Array[]; readonly random: Random }

/** A real bag, taken apart. The broken ones cannot be, so others stand in for them. */
const takeApart = ({ bags, random }: Source): RawBag => {
  for (let tries = 0; tries < 20; tries++) {
    try {
      return parseBag(random.pick(bags))
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    }
  }
  return parseBag(bags[0]!)
}

const bombCell = (random: Random) =>
  random.pick([
    () => dictBomb(random),
    () => dictBomb(random, dictBomb(random)),
    () => snakeBomb(random),
    () => binTreeBomb(random),
    () => shardBomb(random),
    () => stackBomb(random),
  ])()

const kinds: readonly (readonly [string, number, (source: Source) => Uint8Array])[] = [
  ['bytes', 30, ({ bags, random }) => mutateBytes(random.pick(bags), random.pick(bags), random)],
  ['cells', 30, (source) => mutateCells(takeApart(source), source.random)],
  ['chain', 4, ({ random }) => assembleBag(chainBag(random))],
  ['chain, changed', 2, ({ random }) => mutateCells(chainBag(random), random)],
  ['bomb', 8, ({ random }) => encodeBoc([bombCell(random)])],
  ['bomb, changed', 4, ({ random }) => mutateCells(parseBag(encodeBoc([bombCell(random)])), random)],
  ['merkle', 4, ({ random }) => encodeBoc([merkleTree(random, bombCell(random))])],
  [
    'merkle, changed',
    6,
    ({ random }) => mutateCells(parseBag(encodeBoc([merkleTree(random, bombCell(random))])), random),
  ],
  [
    'graft',
    10,
    (source) => {
      const { random } = source
      const bomb = random.once(4) ? chainBag(random) : parseBag(encodeBoc([bombCell(random)]))
      return graft(takeApart(source), bomb, random)
    },
  ],
  ['graft of real', 2, (source) => graft(takeApart(source), takeApart(source), source.random)],
]

const total = kinds.reduce((sum, [, weight]) => sum + weight, 0)

/** Input `number` of the campaign with this seed; it depends on nothing else but the bags to start from. */
export const makeHostileInput = (seed: number, number: number, bags: readonly Uint8Array[]): HostileInput => {
  const random = new Random(seed, number)
  let place = random.below(total)
  for (const [kind, weight, make] of kinds) {
    if (place < weight) {
      try {
        return { kind, bytes: make({ bags, random }) }
      } catch (error) {
        // The bombs are built with our own writers, which refuse what does not fit.
        if (error instanceof CodedError) return { kind: 'not built', bytes: random.bytes(20) }
        throw error
      }
    }
    place -= weight
  }
  throw new Error('The weights do not add up.')
}
