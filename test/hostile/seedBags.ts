import { existsSync } from 'node:fs'
import { BLOCK_BOC, CHECKED_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { fixturePath, listFixtures, readFixture } from '../support/fixtures.ts'
import { dictBomb, merkleTree, snakeBomb, stackBomb } from './bombs.ts'
import { Random } from './Random.ts'

const MAX_BYTES = 24 * 1024

/** How many of each kind: enough for variety, few enough to be loaded at once. */
const folders: readonly (readonly [string, number])[] = [
  ['mainnet/transactions', 60],
  ['mainnet/accounts', 30],
  ['mainnet/contracts', 40],
  ['mainnet/configs', 10],
  ['mainnet/liteserver', 30],
  ['mainnet/blocks', 30],
  ['mainnet/broken', 24],
  ['mainnet/states', 4],
  ['localnet/blocks', 60],
]

/** Generated bags, and real ones to start from: those of the main network only where they are recorded. The order never changes. */
export const loadSeedBags = (): Uint8Array[] => {
  const bags: Uint8Array[] = []
  for (let k = 0; k < 40; k++) {
    const random = new Random(k, 0)
    const cell = random.pick([() => dictBomb(random), () => snakeBomb(random), () => stackBomb(random)])()
    bags.push(encodeBoc([merkleTree(random, cell)], random.once(2) ? BLOCK_BOC : CHECKED_BOC))
  }
  for (const [folder, count] of folders) {
    if (!existsSync(fixturePath(folder))) continue
    const all = listFixtures(folder, '.boc')
    const step = Math.max(1, Math.floor(all.length / (2 * count)))
    let taken = 0
    for (let k = 0; k < all.length && taken < count; k += step) {
      const bytes = readFixture(all[k]!)
      if (bytes.length > MAX_BYTES) continue
      bags.push(bytes)
      taken++
    }
  }
  return bags
}
