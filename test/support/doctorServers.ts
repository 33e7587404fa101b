import { createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { LiteCall } from '../../src/codec/tl/liteQuery.ts'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import type { LiteServerAddress } from '../../src/primitives/LiteServerAddress.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { decodeLiteQuery } from './decodeLiteQuery.ts'
import { listenLite, type TestLiteServer } from './listenLite.ts'

export const testHash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

export const testZeroState: BlockIdExt = {
  workchain: -1,
  shard: wholeShard,
  seqno: 0,
  rootHash: testHash(0x51),
  fileHash: testHash(0x52),
}

/** A healthy server, but for what is changed about it. */
export type Patient = {
  readonly head: BlockIdExt
  readonly zeroState: BlockIdExt
  readonly lagSeconds: number
  readonly clockSeconds: number
  readonly version: number
  readonly capabilities: bigint
  /** Answers before all else; `undefined` leaves the question to the others, `null` unanswered. */
  readonly answer: (call: LiteCall) => Uint8Array | undefined | null | Promise<Uint8Array | undefined | null>
}

export const errorAnswer = (code: number, message = 'no'): Uint8Array =>
  encodeTlObject({ kind: 'liteServer.error', code, message })

/** Listens as such a server; closed after the test. */
export const servePatient = async (t: TestContext, changes: Partial<Patient> = {}): Promise<TestLiteServer> => {
  const patient: Patient = {
    head: { ...testZeroState, seqno: 100, rootHash: testHash(0x61), fileHash: testHash(0x62) },
    zeroState: testZeroState,
    lagSeconds: 3,
    clockSeconds: 0,
    version: 0x101,
    capabilities: 15n,
    answer: () => undefined,
    ...changes,
  }
  const server = await listenLite(async (data) => {
    const { call } = decodeLiteQuery(data)
    const own = await patient.answer(call)
    return own === undefined ? answerWell(patient, call) : (own ?? undefined)
  })
  t.after(() => server.close())
  return server
}

const answerWell = (patient: Patient, { kind }: LiteCall): Uint8Array => {
  const now = Math.floor(Date.now() / 1000) + patient.clockSeconds
  const { head: last, version, capabilities } = patient
  const { workchain, rootHash, fileHash } = patient.zeroState
  const state = { last, stateRootHash: testHash(1), init: { workchain, rootHash, fileHash } }
  const about = { mode: 0, version, capabilities, now }
  switch (kind) {
    case 'liteServer.getMasterchainInfoExt': {
      const lastUtime = now - patient.lagSeconds
      return encodeTlObject({ kind: 'liteServer.masterchainInfoExt', ...about, ...state, lastUtime })
    }
    case 'liteServer.getMasterchainInfo':
      return encodeTlObject({ kind: 'liteServer.masterchainInfo', ...state })
    case 'liteServer.getVersion':
      return encodeTlObject({ kind: 'liteServer.version', ...about })
    case 'liteServer.lookupBlock':
      return encodeTlObject({ kind: 'liteServer.blockHeader', id: last, mode: 0, headerProof: new Uint8Array(0) })
    default:
      return errorAnswer(-400, 'not asked in this test')
  }
}

/** Something that listens and is no liteserver; closed after the test. */
export const serveRaw = async (
  t: TestContext,
  onConnection: (socket: Socket) => void,
): Promise<LiteServerAddress & { readonly server: Server }> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { host: '127.0.0.1', port, publicKey: Uint8Array.from(TEST_KEY), server }
}

// The public key of some seed: what is sent to it nobody here can read.
const TEST_KEY = Buffer.from('u6MW7nYOY9Zdg4h2eJZzk7LwCRhfMFySHxLGTlEOCNY=', 'base64')
