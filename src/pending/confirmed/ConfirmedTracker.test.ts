import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  closeSharedMachine,
  startTestNetwork,
  type TestNetwork,
  transferOf,
} from '../../../test/support/testNetwork.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import type { PendingBlockSource } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { normalizedExternalHash, readMessage } from '../../codec/tlb/Message.ts'
import { LiteserverError } from '../../devnet/liteserver/LiteFunction.ts'
import { liteFunctions } from '../../devnet/liteserver/Liteserver.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { ConfirmedChange } from './ConfirmedChange.ts'
import { type ConfirmedOptions, ConfirmedTracker, type FinalBlocks } from './ConfirmedTracker.ts'

after(closeSharedMachine)

const silent = { debug() {}, info() {}, warn: assert.fail, error: assert.fail, child: () => silent }

const DELAY_MS = 600_000

/** The pending blocks of a network, by the functions of its liteserver. */
const sourceOf = ({ liteserver }: TestNetwork) => {
  const counts = { lists: 0, reads: 0 }
  const source: PendingBlockSource = {
    listPendingBlocks: async (isKnown) => {
      counts.lists++
      try {
        const list = liteFunctions['liteServer.nonfinal.getPendingShardBlocks']!
        const { signedBlocks } = await list(liteserver, { mode: 0 })
        return Promise.all(
          signedBlocks.map(async (id) => {
            if (isKnown(id)) return { id, bytes: undefined }
            counts.reads++
            return { id, bytes: (await liteFunctions['liteServer.getBlock']!(liteserver, { id })).data }
          }),
        )
      } catch (error) {
        if (error instanceof LiteserverError && error.serverText === 'query is not allowed') return undefined
        throw error
      }
    },
  }
  return { source, counts }
}

const track = (network: TestNetwork, options: Partial<ConfirmedOptions> = {}) => {
  const { source, counts } = sourceOf(network)
  const changes: ConfirmedChange[] = []
  let onFinal: ((final: FinalBlocks | undefined) => void) | undefined
  const tracker = new ConfirmedTracker({
    source,
    watchFinal: (listener) => {
      onFinal = listener
      return () => {
        onFinal = undefined
      }
    },
    findIndexed: async () => new Map(),
    findWallets: async () => [],
    classify: async () => [],
    logger: silent,
    times: { pollMs: 5, retryMs: 5, disabledMs: 5, lingerMs: 20 },
    ...options,
  })
  /** As the index would, with the blocks of the newest masterchain block. */
  const settle = (): void => {
    const { id } = network.store.head!
    const blocks = [id, ...network.store.index.listIncluded(id.seqno).map((block) => block.id)]
    onFinal?.({ mcSeqno: id.seqno, blocks })
  }
  return { tracker, changes, counts, settle, isWatching: () => onFinal !== undefined }
}

const normalHashOf = (message: Cell): string => toHex(normalizedExternalHash(readWhole(message, readMessage, '')))

const tracesOf = (change: ConfirmedChange | undefined): string[] =>
  change?.kind === 'confirmed'
    ? change.traces.map((trace) => toHex(trace.externalHashNorm))
    : (change?.traces.map(toHex) ?? [])

test('a block is confirmed, replaced, confirmed again and final', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts } = network
  const [alice, bob] = accounts
  await controls.setMining({ mode: 'manual', commitDelayMs: DELAY_MS })
  const { tracker, changes, counts, settle } = track(network)
  t.after(() => tracker.close())
  tracker.listen((change) => changes.push(change))
  const message = transferOf(network, alice!, { seqno: 0, to: bob!.wallet.address })
  const hash = normalHashOf(message)
  await controls.send(message)
  const mined = controls.mine(1)
  await waitUntil('it is confirmed', () => changes.length === 1)
  const [first] = changes
  assert.ok(first?.kind === 'confirmed')
  assert.deepEqual(tracesOf(first), [hash])
  const { transactions, actions, isIncomplete } = first.traces[0]!
  assert.deepEqual(
    transactions.map(({ finality, isEmulated }) => [finality, isEmulated]),
    [
      ['confirmed', false],
      ['confirmed', false],
    ],
  )
  assert.deepEqual([actions, isIncomplete], [[], false])
  const keys = [alice!, bob!].map(({ wallet }) => toHex(addressKeyOf(wallet.address)))
  assert.deepEqual(first.accounts.map(({ account }) => toHex(account)).sort(), keys.sort())
  for (const { state, previous, lt, traceHashes } of first.accounts) {
    assert.ok(
      state.known !== undefined && previous.known !== undefined && state.known.balance !== previous.known.balance,
    )
    assert.ok(lt > 0n)
    assert.deepEqual(traceHashes.map(toHex), [hash])
  }
  const [pending] = controls.getStatus().pendingShards
  // Another block takes its place.
  const [other] = await controls.replacePending()
  assert.equal(formatBlockId(other!), formatBlockId(pending!))
  assert.notDeepEqual(other!.rootHash, pending!.rootHash)
  await waitUntil('it is replaced', () => changes.length === 3)
  const discarded = changes[1]
  assert.ok(discarded?.kind === 'discarded')
  assert.deepEqual(tracesOf(discarded), [hash])
  const describe = (each: { account: Uint8Array; lt: bigint }): string => `${toHex(each.account)} ${each.lt}`
  assert.deepEqual(discarded.states.map(describe).sort(), first.accounts.map(describe).sort())
  assert.deepEqual(
    discarded.states.map((state) => state.hash).sort(),
    first.accounts.map(({ state }) => state.hash).sort(),
  )
  assert.ok(changes[2]?.kind === 'confirmed' && changes[2].accounts.length === 0)
  await controls.commit()
  assert.deepEqual(await mined, network.store.head!.id)
  settle()
  // The next block has the message again, and stays.
  const again = controls.mine(1)
  await waitUntil('it is confirmed again', () => changes.length === 4)
  assert.deepEqual(tracesOf(changes[3]), [hash])
  assert.equal(tracker.size, 1)
  await controls.commit()
  await again
  settle()
  await waitUntil('it is final', () => tracker.size === 0)
  assert.equal(changes.length, 4)
  assert.equal(counts.reads, 3, 'each block is read once')
})

test('a block that another one replaces in the masterchain is discarded; a state that comes back is not', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts } = network
  const [alice, bob, carol] = accounts
  await controls.setMining({ mode: 'manual', commitDelayMs: DELAY_MS })
  const { tracker, changes } = track(network)
  t.after(() => tracker.close())
  tracker.listen((change) => changes.push(change))
  const stays = transferOf(network, alice!, { seqno: 0, to: alice!.wallet.address })
  const goes = transferOf(network, bob!, { seqno: 0, to: carol!.wallet.address })
  await controls.send(stays)
  await controls.send(goes)
  const mined = controls.mine(1)
  await waitUntil('it is confirmed', () => changes.length === 1)
  assert.equal(tracesOf(changes[0]).length, 2)
  await controls.replacePending([goes.hash()])
  await waitUntil('it is replaced', () => changes.length === 3)
  assert.deepEqual(tracesOf(changes[1]), [normalHashOf(goes)])
  assert.ok(changes[1]?.kind === 'discarded' && changes[1].states.length === 2)
  assert.deepEqual(tracesOf(changes[2]), [normalHashOf(stays)])
  assert.ok(changes[2]?.kind === 'confirmed' && changes[2].accounts.length === 0, 'told before')
  await assert.rejects(controls.replacePending([goes.hash()]), { code: 'dev_input_invalid' })
  await controls.commit()
  await mined
  await assert.rejects(controls.commit(), { code: 'dev_input_invalid' })
})

test('a trace is confirmed as a whole when its last message has arrived, also from a block that is final', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts } = network
  const [alice, bob] = accounts
  await controls.setMining({ mode: 'manual', commitDelayMs: DELAY_MS })
  const started: TransactionRecord[] = []
  const { tracker, changes, settle } = track(network, {
    findIndexed: async (hashes) =>
      new Map(
        hashes
          .filter((hash) => started.some(({ outMessages }) => outMessages.some((each) => bytesEqual(each.hash, hash))))
          .map((hash) => [toHex(hash), { traceId: started[0]!.hash, transactions: started }]),
      ),
  })
  t.after(() => tracker.close())
  tracker.listen((change) => changes.push(change))
  const message = transferOf(network, alice!, { seqno: 0, to: bob!.wallet.address })
  await controls.disturb({ kind: 'holdInternal', blocks: 1 })
  await controls.send(message)
  const first = controls.mine(1)
  await waitUntil('the first is confirmed', () => changes.length === 1)
  assert.ok(changes[0]?.kind === 'confirmed')
  assert.deepEqual(changes[0].traces, [], 'its message is in flight')
  assert.deepEqual(
    changes[0].accounts.map(({ account, traceHashes }) => [toHex(account), traceHashes.map(toHex)]),
    [[toHex(addressKeyOf(alice!.wallet.address)), [normalHashOf(message)]]],
  )
  await controls.commit()
  await first
  // The index has it now.
  const [root] = changes[0].accounts[0]!.transactions
  started.push({ ...root!, traceId: root!.hash, mcSeqno: 7 })
  settle()
  const second = controls.mine(1)
  await waitUntil('the second is confirmed', () => changes.length === 2)
  assert.ok(changes[1]?.kind === 'confirmed')
  const [trace] = changes[1].traces
  assert.deepEqual(
    trace!.transactions.map(({ finality, mcSeqno }) => [finality, mcSeqno]),
    [
      ['finalized', 7],
      ['confirmed', 0],
    ],
  )
  assert.equal(toHex(trace!.externalHashNorm), normalHashOf(message))
  // No external message is in it.
  await assert.rejects(controls.replacePending(), { code: 'dev_input_invalid' })
  await controls.commit()
  await second
})

test('liteservers are polled only while there is a listener, and rarely if they refuse', async (t) => {
  const network = await startTestNetwork(t)
  const { tracker, counts, isWatching } = track(network, { times: { pollMs: 1, disabledMs: 600_000, lingerMs: 20 } })
  assert.equal(counts.lists, 0)
  const leave = tracker.listen(() => undefined)
  await waitUntil('it was asked', () => counts.lists === 1)
  assert.equal(await tracker.isEnabled(), false)
  assert.equal(counts.lists, 1, 'the answer is known')
  assert.equal(isWatching(), true)
  leave()
  await waitUntil('it has left', () => !isWatching())
  assert.equal(counts.lists, 1)
  await network.controls.setMining({ mode: 'manual', commitDelayMs: 1 })
  const another = track(network)
  assert.equal(await another.tracker.isEnabled(), true)
})
