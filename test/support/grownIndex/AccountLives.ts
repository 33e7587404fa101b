import { ADDRESS_KEY_BYTES } from '../../../src/primitives/Address.ts'
import { masterchain } from '../../../src/primitives/BlockId.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import { addressText, type ChainTemplate } from './ChainTemplate.ts'

/** How many rounds an account lives before another takes its place: for ever, for some, or for one. */
export type Life = 'ever' | 'era' | 'round'

const ORDER: readonly Life[] = ['ever', 'era', 'round']
const ERA_ROUNDS = 8
/** Of 256. */
const EVER_SHARE = 12
const ERA_SHARE = 48
/** Accounts of a chain with the most transactions, which go on: their histories become long. */
const BUSIEST = 3

/**
 * Which accounts go on from copy to copy, and which are replaced. Those of the masterchain always go on. What belongs to something
 * else does not outlive it: the wallet of a jetton neither its owner nor the jetton, an item not its collection.
 */
export class AccountLives {
  readonly #lives = new Map<string, Life>()
  readonly #seed: Uint8Array
  readonly #masks = new Map<string, Uint8Array>()

  constructor(chains: readonly ChainTemplate[], seed: Uint8Array) {
    this.#seed = seed
    for (const chain of chains) {
      for (const account of findMostFrequent(listAccounts(chain), BUSIEST)) this.#lives.set(account, 'ever')
      // One token of each kind, too.
      const events = chain.batches.map(({ inspected }) => inspected)
      const jettons = events.flatMap(({ jettonTransfers }) => jettonTransfers.map((row) => row.jetton_master))
      const collections = events.flatMap(({ nftTransfers }) => nftTransfers.flatMap((row) => row.collection ?? []))
      for (const token of [...findMostFrequent(jettons, 1), ...findMostFrequent(collections, 1)]) {
        this.#lives.set(token, 'ever')
      }
    }
    for (const { inspected } of chains.flatMap(({ batches }) => batches)) {
      const { contracts } = inspected
      for (const { address, owner, jetton } of contracts.jetton_wallets) {
        this.#lives.set(addressText(address), shorter(this.lifeOf(owner), this.lifeOf(jetton)))
      }
      const { nft_items, nft_sales, multisigs, multisig_orders, vesting_contracts } = contracts
      for (const rows of [nft_items, nft_sales, multisigs, multisig_orders, vesting_contracts]) {
        for (const { address } of rows) this.#lives.set(addressText(address), 'round')
      }
    }
  }

  lifeOf(address: Uint8Array): Life {
    const known = this.#lives.get(addressText(address))
    if (known !== undefined) return known
    const chance = sha256(Uint8Array.of(...this.#seed, ...address))[0]!
    const isOfMasterchain = (address[0]! << 24) >> 24 === masterchain
    const life = isOfMasterchain || chance < EVER_SHARE ? 'ever' : chance < EVER_SHARE + ERA_SHARE ? 'era' : 'round'
    this.#lives.set(addressText(address), life)
    return life
  }

  /** Whether an account is the same in two rounds. */
  isSame(address: Uint8Array, round: number, other: number): boolean {
    const life = this.lifeOf(address)
    return lifeNumber(life, round) === lifeNumber(life, other)
  }

  /** The address that stands for this one in a round. What is no address of an account stays as it is. */
  mapAddress(address: Uint8Array, round: number): Uint8Array {
    if (address.length !== ADDRESS_KEY_BYTES) return address
    const life = this.lifeOf(address)
    const number = lifeNumber(life, round)
    return number === 0 ? address : xorBytes(address, this.#maskOf(life, number))
  }

  #maskOf(life: Life, number: number): Uint8Array {
    const name = `${life} ${number}`
    let mask = this.#masks.get(name)
    if (mask === undefined) {
      mask = Uint8Array.of(0, ...sha256(Buffer.concat([this.#seed, Buffer.from(name)])))
      // The beginning says in which shard it is.
      mask[1]! &= 0x0f
      this.#masks.set(name, mask)
    }
    return mask
  }
}

const lifeNumber = (life: Life, round: number): number =>
  life === 'ever' ? 0 : life === 'era' ? Math.floor(round / ERA_ROUNDS) : round

const shorter = (a: Life, b: Life): Life => ORDER[Math.max(ORDER.indexOf(a), ORDER.indexOf(b))]!

/** The account of every transaction outside the masterchain, where accounts go on anyway. */
const listAccounts = ({ batches }: ChainTemplate): Uint8Array[] =>
  batches
    .flatMap(({ blockSets }) => blockSets.flatMap(({ transactions }) => transactions.map(({ row }) => row.account)))
    .filter((account) => account[0] === 0)

const findMostFrequent = (addresses: readonly Uint8Array[], limit: number): string[] => {
  const counts = new Map<string, number>()
  for (const address of addresses.map(addressText)) counts.set(address, (counts.get(address) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([address]) => address)
}

export const xorBytes = (bytes: Uint8Array, mask: Uint8Array): Uint8Array => {
  const mixed = new Uint8Array(bytes.length)
  for (let k = 0; k < bytes.length; k++) mixed[k] = bytes[k]! ^ mask[k]!
  return mixed
}
