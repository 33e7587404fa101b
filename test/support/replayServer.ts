import type { Socket } from 'node:net'
import type { AdnlConnection } from '../../src/adnl/AdnlConnection.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { decodeBoc, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { withChildren, wrapMerkleProof } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { decodeLiteAnswer, splitWaitPrefix } from '../../src/codec/tl/liteQuery.ts'
import type { LiteServerAccountId } from '../../src/codec/tl/liteServerTypes.ts'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { openAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { decodeLiteQuery } from './decodeLiteQuery.ts'
import { listFixtures, readFixtureJson } from './fixtures.ts'
import { listenLite, type TestLiteServer } from './listenLite.ts'

export const faults = ['killed', 'stalled', 'reset', 'garbage', 'lagging', 'lying', 'forging'] as const
export type Fault = (typeof faults)[number]

type Pair = { readonly request_tl_hex: string; readonly response_tl_hex: string }

/** The recorded dialogues with a real node: the bytes of each answer by the bytes of its question. */
export const readDialogues = (): Map<string, Uint8Array> =>
  new Map(
    listFixtures('localnet/liteserver', '.json')
      .filter((path) => /\/\d{3}-/.test(path))
      .map((path) => readFixtureJson<Pair>(path))
      .map(({ request_tl_hex, response_tl_hex }) => [request_tl_hex, fromHex(response_tl_hex)]),
  )

/** A server that answers as the recorded one did, with `head` as its newest block, and misbehaves as `fault` says. */
export class ReplayServer {
  fault: Fault | undefined
  private readonly dialogues: ReadonlyMap<string, Uint8Array>
  private readonly head: BlockIdExt
  private readonly zeroState: BlockIdExt
  private listening: TestLiteServer | undefined
  private readonly seed: Uint8Array
  private port = 0

  constructor(dialogues: ReadonlyMap<string, Uint8Array>, head: BlockIdExt, zeroState: BlockIdExt, seed: number) {
    this.dialogues = dialogues
    this.head = head
    this.zeroState = zeroState
    this.seed = new Uint8Array(32).fill(seed)
  }

  async listen(): Promise<TestLiteServer> {
    this.listening = await listenLite((data, connection) => this.answer(data, connection), this.port, this.seed)
    this.port = this.listening.port
    return this.listening
  }

  get connections(): number {
    return this.listening?.server.connections.size ?? 0
  }

  async setFault(fault: Fault | undefined): Promise<void> {
    const was = this.fault
    this.fault = fault
    if (fault === 'killed' && was !== 'killed') await this.close()
    if (fault !== 'killed' && was === 'killed') await this.listen()
  }

  async close(): Promise<void> {
    await this.listening?.close()
    this.listening = undefined
  }

  private answer(data: Uint8Array, connection: AdnlConnection): Uint8Array | undefined {
    const { rest } = splitWaitPrefix(data)
    const { call } = decodeLiteQuery(rest)
    switch (this.fault) {
      case 'stalled':
        return undefined
      case 'garbage':
        return crypto.getRandomValues(new Uint8Array(100))
      case 'reset': {
        // Half of a packet, then nothing: the keystream is spoilt and the connection gone.
        const { socket } = connection as unknown as { socket: Socket }
        socket.write(crypto.getRandomValues(new Uint8Array(50)), () => socket.resetAndDestroy())
        return undefined
      }
      default:
    }
    const isLagging = this.fault === 'lagging'
    const last = isLagging ? { ...this.head, seqno: this.head.seqno - 20 } : this.head
    const init = { workchain: -1, rootHash: this.zeroState.rootHash, fileHash: this.zeroState.fileHash }
    const stateRootHash = new Uint8Array(32)
    if (call.kind === 'liteServer.getMasterchainInfo') {
      return encodeTlObject({ kind: 'liteServer.masterchainInfo', last, stateRootHash, init })
    }
    if (call.kind === 'liteServer.getMasterchainInfoExt') {
      const times = { lastUtime: 1000, now: isLagging ? 1100 : 1001 }
      const about = { mode: 0, version: 257, capabilities: 15n }
      return encodeTlObject({ kind: 'liteServer.masterchainInfoExt', ...about, last, ...times, stateRootHash, init })
    }
    if (isLagging) return encodeTlObject({ kind: 'liteServer.error', code: 651, message: 'block is not applied' })
    const recorded = this.dialogues.get(toHex(rest))
    if (recorded === undefined) return encodeTlObject({ kind: 'liteServer.error', code: 651, message: 'not in db' })
    const isLie = this.fault === 'lying' || this.fault === 'forging'
    return isLie && call.kind === 'liteServer.getAccountState' ? this.lie(recorded) : recorded
  }

  /** The recorded account with more money: under the true proof, or under one that is rewritten to agree. */
  private lie(recorded: Uint8Array): Uint8Array {
    const answer = decodeLiteAnswer('liteServer.getAccountState', recorded)
    if (!answer.ok || answer.result.state.length === 0) return recorded
    const { result } = answer
    const account = openAccount(decodeSingleBoc(result.state))
    if (account.kind !== 'account') return recorded
    const rich = writeWhole(writeAccount, {
      ...account,
      balance: { ...account.balance, grams: account.balance.grams + 10n ** 12n },
    })
    const state = encodeBoc([rich])
    if (this.fault === 'lying') return encodeTlObject({ kind: 'liteServer.accountState', ...result, state })
    return encodeTlObject({ kind: 'liteServer.accountState', ...result, state, proof: forge(result.proof) })
  }
}

/** Well-formed proofs of a tree that never was: one child of the state is another cell. */
const forge = (proof: Uint8Array): Uint8Array => {
  const [header, state] = decodeBoc(proof) as [Cell, Cell]
  const inner = state.ref(0)
  const children = Array.from({ length: inner.refCount }, (_, k) => inner.ref(k))
  children[0] = new CellWriter().writeUint(1, 8).toCell()
  return encodeBoc([header, wrapMerkleProof(withChildren(inner, children))])
}

export type AccountQuestion = { readonly account: LiteServerAccountId; readonly expected: string | undefined }

/** The recorded questions about accounts after the reference block, with the hash of the true account. */
export const readRequests = (dialogues: ReadonlyMap<string, Uint8Array>) => {
  const questions: AccountQuestion[] = []
  let head: BlockIdExt | undefined
  let zeroState: BlockIdExt | undefined
  for (const [request, response] of dialogues) {
    let call: ReturnType<typeof decodeLiteQuery>['call']
    try {
      call = decodeLiteQuery(fromHex(request)).call
    } catch {
      continue
    }
    if (call.kind === 'liteServer.getBlockProof' && call.knownBlock.seqno === 0 && call.targetBlock?.seqno === 395) {
      head = call.targetBlock
      zeroState = call.knownBlock
    }
    if (call.kind !== 'liteServer.getAccountState' || call.id.seqno !== 395 || call.id.workchain !== -1) continue
    const answer = decodeLiteAnswer('liteServer.getAccountState', response)
    if (!answer.ok) continue
    const { state } = answer.result
    questions.push({
      account: call.account,
      expected: state.length === 0 ? undefined : toHex(decodeSingleBoc(state).hash()),
    })
  }
  if (head === undefined || zeroState === undefined) throw new Error('The recorded proof of block 395 is missing.')
  return { head, zeroState, questions }
}
