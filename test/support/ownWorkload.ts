import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { encodeConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import type { ExternalMessage, StepResult } from '../../src/devnet/collate/StepRequest.ts'
import { compiledCode, contractAddress, contractInit } from '../../src/devnet/contracts/contractInit.ts'
import type { OutgoingMessage } from '../../src/devnet/contracts/messages.ts'
import { configChange, faucetAddress, faucetData } from '../../src/devnet/contracts/systemContracts.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { type createOwnChain, toExternal } from './OwnChain.ts'

export type OwnChain = Awaited<ReturnType<typeof createOwnChain>>

/** Numbers that look random and are the same for the same seed. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
  return {
    below: (limit: number): number => next() % limit,
    bytes: (length: number): Uint8Array => Uint8Array.from({ length }, () => next() & 0xff),
  }
}

export type Random = ReturnType<typeof createRandom>

const GRAM = 1_000_000_000n

/** Messages of all kinds that a wallet may send. */
const randomMessage = (chain: OwnChain, random: Random, known: Address[]): OutgoingMessage => {
  const value = BigInt(1 + random.below(2000)) * 1_000_000n
  switch (random.below(8)) {
    case 0: {
      const address = { workchain: 0, hash: random.bytes(32) }
      known.push(address)
      return { destination: address, value, bounce: false }
    }
    // Nobody is there, so it comes back.
    case 1:
      return { destination: { workchain: 0, hash: random.bytes(32) }, value, bounce: true, body: bodyOf(random, 40) }
    case 2:
      return { destination: { workchain: -1, hash: random.bytes(32) }, value, bounce: random.below(2) === 0 }
    case 3: {
      const init = contractInit(compiledCode('faucet'), faucetData(random.bytes(32)))
      return { destination: contractAddress(init), value: value + GRAM, bounce: false, init }
    }
    case 4:
      return { destination: known[random.below(known.length)]!, value, bounce: true, body: bodyOf(random, 600) }
    // More than there is: the action fails, or is passed over.
    case 5:
      return { destination: known[random.below(known.length)]!, value: 10n ** 18n, bounce: false }
    case 6:
      return { destination: known[random.below(known.length)]!, value: 1n, bounce: true }
    default: {
      const other = chain.faucets[random.below(chain.faucets.length)]!
      return { destination: faucetAddress(other.publicKey), value, bounce: true, body: bodyOf(random, 200) }
    }
  }
}

/** A body of some cells. */
const bodyOf = (random: Random, bytes: number): NonNullable<OutgoingMessage['body']> => {
  let cell = emptyCell
  for (let left = random.below(bytes); left > 0; left -= 100) {
    cell = new CellWriter()
      .writeBytes(random.bytes(Math.min(left, 100)))
      .writeRef(cell)
      .toCell()
  }
  return cell
}

export type WorkloadOptions = {
  readonly transactions: number
  readonly seed: number
  /** Messages that each wallet sends in a step, at most. */
  readonly perStep?: number
  readonly changesConfig?: boolean
}

/** Runs messages of all kinds through a chain until it has so many transactions, and then until its queues are empty. */
export const runWorkload = async (
  chain: OwnChain,
  { transactions, seed, perStep = 4, changesConfig = true }: WorkloadOptions,
): Promise<{ steps: number; transactions: number }> => {
  const random = createRandom(seed)
  const known: Address[] = chain.faucets.map(({ publicKey }) => faucetAddress(publicKey))
  let done = 0
  let steps = 0
  let configSeqno = 0
  const take = (made: StepResult): StepResult => {
    done += made.userTransactions
    steps++
    if (made.refused.length > 0) throw new Error(`A message was refused: ${made.refused[0]!.reason}`)
    return made
  }
  while (done < transactions) {
    // Storage comes due, and small accounts freeze or go.
    if (steps % 12 === 11) chain.moveClock(40_000_000)
    const externals: ExternalMessage[] = chain.faucets.map((faucet) =>
      chain.pay(
        faucet,
        Array.from({ length: 1 + random.below(perStep) }, () => randomMessage(chain, random, known)),
      ),
    )
    if (changesConfig && steps % 10 === 7) {
      const value = encodeConfigParam(17, {
        minStake: BigInt(steps) * GRAM,
        maxStake: 10_000_000n * GRAM,
        minTotalStake: 100n * GRAM,
        maxStakeFactor: 3 << 16,
      })
      externals.push(toExternal(configChange(chain.configKey, configSeqno++, chain.now() + 600, 17, value)))
    }
    take(await chain.make({ externals, holdInternal: steps % 9 === 4 }))
  }
  for (let more = true, left = 40; more && left > 0; left--) more = take(await chain.make()).hasMore
  return { steps, transactions: done }
}
