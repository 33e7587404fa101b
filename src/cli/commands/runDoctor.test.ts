import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  errorAnswer,
  type Patient,
  servePatient,
  serveRaw,
  testHash,
  testZeroState,
} from '../../../test/support/doctorServers.ts'
import { readDialogues, readRequests } from '../../../test/support/replayServer.ts'
import { runCommandLine } from '../../../test/support/runCommandLine.ts'
import { writeTree } from '../../../test/support/writeTree.ts'
import { encodeLiteQuery } from '../../codec/tl/liteQuery.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatLiteServer, type LiteServerAddress, nameLiteServer } from '../../primitives/LiteServerAddress.ts'

type Report = {
  readonly fine: boolean
  readonly notes: readonly string[]
  readonly servers: readonly {
    readonly server: string
    readonly verdict: string
    readonly lagSeconds: number | null
    readonly clockSeconds: number | null
    readonly version: string | null
    readonly archival: boolean | null
    readonly provenSeqno: number | null
    readonly findings: readonly { readonly code: string; readonly message: string; readonly advice: string }[]
  }[]
}

const blockJson = ({ seqno, rootHash, fileHash }: BlockIdExt) => ({
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})

type Origin = { readonly zeroState: BlockIdExt; readonly anchor: BlockIdExt }

const configFolder = (t: TestContext, { zeroState, anchor }: Origin): string => {
  const validator = { zero_state: blockJson(zeroState), init_block: blockJson(anchor) }
  return writeTree(t, { 'net.json': JSON.stringify({ validator }) })
}

const examine = async (
  t: TestContext,
  servers: readonly LiteServerAddress[],
  { origin, args = [] }: { origin?: Origin | undefined; args?: readonly string[] } = {},
) => {
  const flags = servers.flatMap((server) => ['--liteserver', formatLiteServer(server)])
  const config = origin === undefined ? [] : ['--global-config', 'net.json']
  const workingDir = origin === undefined ? writeTree(t, {}) : configFolder(t, origin)
  return runCommandLine(t, ['doctor', '--query-timeout', '1s', ...flags, ...config, ...args], { workingDir })
}

const report = async (...given: Parameters<typeof examine>): Promise<Report & { readonly exitCode: number }> => {
  const [t, servers, { origin, args = [] } = {}] = given
  const { exitCode, out, err } = await examine(t, servers, { origin, args: ['--json', ...args] })
  assert.equal(err, '')
  return { exitCode, ...(JSON.parse(out) as Report) }
}

const origin = { zeroState: testZeroState, anchor: testZeroState }
const merkle = ['--proofs', 'merkle']

type Fault = {
  readonly code: string
  readonly message: RegExp
  readonly create: (t: TestContext) => Promise<LiteServerAddress>
  readonly origin?: Origin
  readonly args?: readonly string[]
}

const patient =
  (changes: Partial<Patient>) =>
  (t: TestContext): Promise<LiteServerAddress> =>
    servePatient(t, changes)

const answering = (kind: string, answer: Uint8Array | null) =>
  patient({ answer: (call) => (call.kind === `liteServer.${kind}` ? answer : undefined) })

const faults: readonly Fault[] = [
  {
    code: 'refused',
    message: /^Connection refused/,
    create: async (t) => {
      const server = await servePatient(t)
      await server.close()
      return server
    },
  },
  {
    code: 'unknown_host',
    message: /^The host name cannot be resolved/,
    create: async (t) => ({ ...(await servePatient(t)), host: 'x'.repeat(300) }),
  },
  {
    code: 'unreachable',
    message: /^Connection timed out/,
    create: async (t) => ({ ...(await servePatient(t)), host: '255.255.255.255' }),
  },
  {
    code: 'wrong_key',
    message: /^It closes the connection at the handshake/,
    create: async (t) => ({ ...(await servePatient(t)), publicKey: (await servePatient(t)).publicKey }),
  },
  {
    code: 'wrong_key',
    message: /^It accepts the connection but does not answer the handshake/,
    create: (t) => serveRaw(t, () => undefined),
  },
  {
    code: 'wrong_key',
    message: /^The configured key is not a valid public key/,
    create: async (t) => ({ ...(await servePatient(t)), publicKey: new Uint8Array(32) }),
  },
  {
    code: 'not_a_liteserver',
    message: /other data: this is not a liteserver/,
    create: (t) => serveRaw(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  },
  { code: 'no_answer', message: /but does not answer requests/, create: patient({ answer: () => null }) },
  {
    code: 'bad_answer',
    message: /^Invalid answer: .* sent an invalid answer to liteServer\.getMasterchainInfoExt/,
    create: patient({ answer: () => Uint8Array.of(1, 2, 3) }),
  },
  {
    code: 'overloaded',
    message: /^It refuses requests for now: error 228, "ratelimit exceeded"\.$/,
    create: patient({ answer: () => errorAnswer(228, 'ratelimit\n exceeded') }),
  },
  {
    code: 'wrong_network',
    message: /^It serves another network/,
    create: patient({ zeroState: { ...testZeroState, fileHash: testHash(9) } }),
    origin,
  },
  {
    code: 'out_of_sync',
    message: /^It is out of sync by 3600 s/,
    create: patient({ lagSeconds: 3600 }),
  },
  {
    code: 'clock_differs',
    message: /^Its clock is (99|100|101) s ahead of the clock of this machine/,
    create: patient({ clockSeconds: 100 }),
  },
  {
    code: 'clock_differs',
    message: /^Its clock is (49|50|51) s behind the clock of this machine/,
    create: patient({ clockSeconds: -50 }),
  },
  { code: 'too_old', message: /its version is 1\.0, and 1\.1 is needed/, create: patient({ version: 0x100 }) },
  {
    code: 'too_old',
    message: /its capabilities are 5, and 7 are needed/,
    create: patient({ capabilities: 5n }),
  },
  {
    code: 'too_old',
    message: /^It is too old to tell its version/,
    create: patient({
      answer: ({ kind }) => (/Ext$|getVersion/.test(kind) ? errorAnswer(0, 'Unknown constructor') : undefined),
    }),
  },
  {
    code: 'init_pruned',
    message: /^It has no proof from the init block \(-1,8000000000000000,0\): error 651, "block is not in db"\.$/,
    create: answering('getBlockProof', errorAnswer(651, 'block is not in db')),
    origin,
  },
  {
    code: 'overloaded',
    message: /error -503, "timeout"/,
    create: answering('getBlockProof', errorAnswer(-503, 'timeout')),
    origin,
  },
  {
    code: 'no_answer',
    message: /^It does not answer the request for a proof of its newest block/,
    create: answering('getBlockProof', null),
    origin,
  },
  {
    code: 'bad_answer',
    message: /sent an invalid answer to liteServer\.getBlockProof/,
    create: answering('getBlockProof', Uint8Array.of(1)),
    origin,
  },
  {
    code: 'behind_anchor',
    message: /^Its newest block 100 is older than the init block 200\.$/,
    create: patient({}),
    origin: { zeroState: testZeroState, anchor: { ...testZeroState, seqno: 200 } },
  },
]

for (const { code, message, create, origin: network, args } of faults) {
  test(`says ${code}: ${message.source.slice(0, 60)}`, async (t) => {
    const healthy = await servePatient(t, network && { zeroState: network.zeroState })
    const server = await create(t)
    const { exitCode, fine, servers } = await report(t, [server], { origin: network, args: args ?? [] })
    assert.deepEqual({ exitCode, fine }, { exitCode: 1, fine: false })
    const [{ findings, verdict, server: name } = assert.fail()] = servers
    assert.equal(name, nameLiteServer(server))
    assert.deepEqual([verdict, findings.map((finding) => finding.code)], ['wrong', [code]])
    assert.match(findings[0]?.message ?? '', message)
    assert.match(findings[0]?.advice ?? '', /^[A-Z].*\.$/)

    // The same, in words, beside a server that has nothing.
    if (network !== undefined && code !== 'wrong_network') return
    const { exitCode: again, out } = await examine(t, [healthy, server], { origin: network, args: merkle })
    assert.equal(again, 1)
    assert.ok(out.includes(`${nameLiteServer(healthy)}  fine\n`), out)
    assert.ok(out.includes(`${nameLiteServer(server)}  wrong\n`), out)
    assert.ok(out.includes(`    ${findings[0]?.advice}\n`), out)
    assert.ok(out.endsWith('1 of 2 servers can be used.\n'), out)
  })
}

test('a server that has nothing is one line, and the exit code is 0', async (t) => {
  const server = await servePatient(t)
  const { exitCode, out, err } = await examine(t, [server, server], { origin, args: merkle })
  assert.deepEqual([exitCode, err], [0, ''])
  assert.equal(
    out,
    [
      `${nameLiteServer(server)}  fine`,
      '  block 100, 3 s old, archival, version 1.1',
      '',
      'With --proofs merkle the chain of blocks was not checked.',
      'The server can be used.',
      '',
    ].join('\n'),
  )
})

test('without a global configuration it says what could not be checked', async (t) => {
  const { exitCode, notes, servers } = await report(t, [await servePatient(t)])
  assert.equal(exitCode, 0)
  assert.deepEqual(notes, ['Without --global-config the network and proofs were not checked.'])
  assert.equal(servers[0]?.verdict, 'fine')
})

test('a server without the beginning of the chain is limited, which is no fault', async (t) => {
  const server = await answering('lookupBlock', errorAnswer(651, 'ltdb: block not found'))(t)
  const { exitCode, fine, servers } = await report(t, [server])
  assert.deepEqual({ exitCode, fine }, { exitCode: 0, fine: true })
  assert.deepEqual([servers[0]?.verdict, servers[0]?.archival], ['limited', false])
  assert.deepEqual(
    servers[0]?.findings.map(({ code }) => code),
    ['not_archival'],
  )
  const busy = await answering('lookupBlock', errorAnswer(429))(t)
  assert.deepEqual((await report(t, [busy])).servers[0]?.archival, null)
})

test('several faults of one server are all told', async (t) => {
  const server = await servePatient(t, {
    lagSeconds: 500,
    clockSeconds: 90,
    version: 1,
    answer: ({ kind }) => (kind === 'liteServer.lookupBlock' ? errorAnswer(651) : undefined),
  })
  const { servers } = await report(t, [server])
  assert.deepEqual(
    servers[0]?.findings.map(({ code }) => code),
    ['too_old', 'out_of_sync', 'clock_differs', 'not_archival'],
  )
})

test('where nobody can be reached, it may be this machine', async (t) => {
  const servers = [await servePatient(t), await servePatient(t)].map((server) => ({ ...server, host: 'x'.repeat(300) }))
  const { out } = await examine(t, servers)
  assert.match(out, /\n0 of 2 servers can be used\. The network connection of this machine may be down\.\n$/)
})

const recordedNetwork = () => {
  const dialogues = readDialogues()
  const { head, zeroState } = readRequests(dialogues)
  const prove = ((call) =>
    call.kind === 'liteServer.getBlockProof'
      ? (dialogues.get(toHex(encodeLiteQuery({ call }))) ?? errorAnswer(651))
      : undefined) satisfies Patient['answer']
  return { head, zeroState, prove }
}

test('the recorded chain is proven from the zerostate, across key blocks', async (t) => {
  const { head, zeroState, prove } = recordedNetwork()
  const server = await servePatient(t, { head, zeroState, answer: prove })
  const { exitCode, servers } = await report(t, [server], { origin: { zeroState, anchor: zeroState } })
  assert.deepEqual([exitCode, servers[0]?.verdict, servers[0]?.provenSeqno], [0, 'fine', 395])
  const { out } = await examine(t, [server], { origin: { zeroState, anchor: zeroState } })
  assert.match(out, /\n {2}block 395, 3 s old, proven, archival, version 1\.1\n/)
})

test('a chain with one wrong byte, or to another block, is a proof that failed', async (t) => {
  const { head, zeroState, prove } = recordedNetwork()
  const forge = (call: Parameters<typeof prove>[0]) => {
    const answer = prove(call)
    const copy = answer?.slice()
    if (copy !== undefined) copy[copy.length - 40]! ^= 1
    return copy
  }
  const forged = await servePatient(t, { head, zeroState, answer: forge })
  // It says that its newest block is one that was never signed, and proves another.
  const other = { ...head, rootHash: testHash(7) }
  const truth = { ...head }
  const lying = await servePatient(t, {
    head: other,
    zeroState,
    answer: (call) => prove(call.kind === 'liteServer.getBlockProof' ? { ...call, targetBlock: truth } : call),
  })
  const { exitCode, servers } = await report(t, [forged, lying], { origin: { zeroState, anchor: zeroState } })
  assert.equal(exitCode, 1)
  for (const { findings } of servers) {
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['proof_failed'],
    )
    assert.match(findings[0]?.advice ?? '', /^Do not use this liteserver/)
  }
})

test('a Ctrl-C ends it without a word, and leaves nothing open', async (t) => {
  const mute = await servePatient(t, { answer: () => null })
  const signals = Object.assign(new EventEmitter(), { exit: () => {} })
  setTimeout(() => signals.emit('SIGINT'), 100)
  const start = performance.now()
  const args = ['doctor', '--liteserver', formatLiteServer(mute)]
  assert.deepEqual(await runCommandLine(t, args, { signals }), { exitCode: 0, out: '', err: '' })
  assert.ok(performance.now() - start < 1000)
  await delay(50)
  assert.equal(mute.server.connections.size, 0)
})
