import { Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type CurrencyCollection, extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import {
  type ConfigParamId,
  type ConfigParamValue,
  encodeConfigParam,
  findConfigParam,
} from '../../src/codec/tlb/config/configParams.ts'
import { writeMessage } from '../../src/codec/tlb/Message.ts'
import { ADDR_NONE } from '../../src/codec/tlb/MsgAddress.ts'
import { type OutAction, writeOutList } from '../../src/codec/tlb/OutList.ts'
import { simpleLibsType } from '../../src/codec/tlb/StateInit.ts'
import { openMasterView } from '../../src/devnet/collate/MasterView.ts'
import { specialMessage } from '../../src/devnet/collate/runMessages.ts'
import { compiledCode, contractAddress, contractInit } from '../../src/devnet/contracts/contractInit.ts'
import { createSigner, signedBody } from '../../src/devnet/contracts/messages.ts'
import { configChange, faucetInit } from '../../src/devnet/contracts/systemContracts.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { coins, createOwnChain, toExternal } from './OwnChain.ts'
import { type OwnChain, runWorkload } from './ownWorkload.ts'

const GRAM = 1_000_000_000n
/** Send what is left and go. */
const ALL_AND_DESTROY = 128 + 32

/** A contract that does what its key orders. */
const createActor = (number: number, workchain: number) => {
  const key = createSigner(new Uint8Array(32).fill(number))
  const init = faucetInit(key.publicKey)
  const address = contractAddress(init, workchain)
  let counter = 0
  return {
    address,
    init,
    order: (now: number, actions: readonly OutAction[], withInit = false) => {
      const body = new CellWriter().writeUint(counter++, 32).writeUint(now + 600, 32)
      const signed = signedBody(key, body.writeRef(writeWhole(writeOutList, actions)).toCell())
      const message = writeWhole(writeMessage, {
        info: { kind: 'externalIn', source: ADDR_NONE, destination: std(address), importFee: 0n },
        init: withInit ? { inRef: true, value: init } : undefined,
        body: withInit ? signed : wholeSlice(signed),
      })
      return toExternal(message)
    },
  }
}

const std = ({ workchain, hash }: Address) => ({ kind: 'std', workchain, hash, anycast: undefined }) as const

const send = (source: Address, destination: Address, value: CurrencyCollection, mode = 1): OutAction => {
  const message = specialMessage({ source, destination, value, bounce: false }, 0n, 0)
  return { kind: 'sendMessage', mode, message }
}

const outside = { kind: 'extern', bits: 32, value: Uint8Array.of(1, 2, 3, 4) } as const

const emit = (source: Address): OutAction => ({
  kind: 'sendMessage',
  mode: 1,
  message: writeWhole(writeMessage, {
    info: { kind: 'externalOut', source: std(source), destination: outside, createdLt: 0n, createdAt: 0 },
    init: undefined,
    body: wholeSlice(emptyCell),
  }),
})

/** Many cells, so that the network keeps a dictionary of them. */
const largeCell = (cells: number): Cell => {
  let cell = emptyCell
  for (let k = 0; k < cells; k++) cell = new CellWriter().writeUint(k, 32).writeRef(cell).toCell()
  return cell
}

const library = new CellWriter().writeUint(0xdeadbeef, 32).toCell()
const ownLibrary = new CellWriter().writeUint(0xcafe, 32).toCell()

/** A chain of our own on which all happened that happened on the recorded one, as far as ours lets it happen. */
export const createVariedChain = async (): Promise<OwnChain> => {
  const [owner, holder, leaver, newcomer] = [
    createActor(0x31, -1),
    createActor(0x32, 0),
    createActor(0x33, 0),
    createActor(0x34, 0),
  ]
  const libraries = Dict.of(simpleLibsType, [[library.hash(), { isPublic: true, root: library }]]).root
  if (!(libraries instanceof Cell)) throw new Error('A dictionary with an entry has a root.')
  const chain = await createOwnChain({
    accounts: [
      { address: owner.address, balance: coins(1000n * GRAM), init: { ...owner.init, library: libraries } },
      { address: holder.address, balance: coins(1000n * GRAM), init: holder.init },
      { address: leaver.address, balance: coins(1000n * GRAM), init: leaver.init },
    ],
    faucets: 6,
  })
  const { change, split } = createConfigChanges(chain)
  const order = (actor: typeof owner, actions: readonly OutAction[], more = {}) =>
    chain.make({ externals: [actor.order(chain.now(), actions)], ...more })
  await change(2, owner.address.hash)
  await change(7, Dict.of(extraCurrenciesType, [[239, 1_000_000n]]))
  await chain.make()
  const currency = { grams: GRAM, extra: Dict.of(extraCurrenciesType, [[239, 400n]]) }
  await order(owner, [
    send(owner.address, holder.address, currency),
    emit(owner.address),
    { kind: 'changeLibrary', mode: 2, library: { kind: 'cell', library: ownLibrary } },
  ])
  const stranger = { workchain: -1, hash: new Uint8Array(32).fill(0x99) }
  await order(owner, [send(owner.address, stranger, coins(GRAM))], { holdInternal: true })
  await order(owner, [send(owner.address, stranger, coins(GRAM))])
  const large = contractInit(compiledCode('faucet'), largeCell(40))
  const deploy = specialMessage(
    {
      source: holder.address,
      destination: contractAddress(large),
      value: coins(GRAM),
      bounce: false,
      stateInit: large,
    },
    0n,
    0,
  )
  await order(holder, [
    { kind: 'sendMessage', mode: 1, message: deploy },
    send(holder.address, newcomer.address, coins(5n * GRAM)),
  ])
  await chain.make({ externals: [newcomer.order(chain.now(), [emit(newcomer.address)], true)] })
  await order(leaver, [send(leaver.address, holder.address, coins(0n), ALL_AND_DESTROY)])
  await split(1)
  await runWorkload(chain, { transactions: 250, seed: 11, changesConfig: false })
  await split(0)
  await runWorkload(chain, { transactions: 50, seed: 12, changesConfig: false })
  await split(1)
  await runWorkload(chain, { transactions: 50, seed: 13, changesConfig: false })
  return chain
}

const createConfigChanges = (chain: OwnChain) => {
  let seqno = 0
  const change = async <Id extends ConfigParamId>(id: Id, value: ConfigParamValue<Id>): Promise<void> => {
    const message = configChange(chain.configKey, seqno++, chain.now() + 600, id, encodeConfigParam(id, value))
    await chain.make({ externals: [toExternal(message)] })
  }
  /** A few seconds pass between the plan and the split, so that plans are to be seen. */
  const split = async (depth: number): Promise<void> => {
    const workchains = findConfigParam(openMasterView(chain.store).extra.config.config, 12)!
    const descr = workchains.find(0)!
    const { splitMergeTimings } = descr.extension!
    const extension = { ...descr.extension!, splitMergeTimings: { ...splitMergeTimings, delay: 3 } }
    await change(12, workchains.set(0, { ...descr, minSplit: depth, maxSplit: depth, extension }))
    for (let left = 60; chain.store.shardTops.length !== 2 ** depth && left > 0; left--) await chain.make()
  }
  return { change, split }
}
