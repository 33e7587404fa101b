import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connectDatabase } from '../src/store/connect/connectDatabase.ts'
import type { Database } from '../src/store/connect/Database.ts'
import { startEmbeddedServer } from '../src/store/embedded/startEmbeddedServer.ts'
import { acquireLease } from '../src/store/writer/lease.ts'
import { haveDatabase } from './support/database.ts'
import { silentLogger } from './support/databaseServer.ts'
import { fixturePath, haveFixtures, readFixtureJson } from './support/fixtures.ts'
import { localnetPackages } from './support/localnetSources.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { assertSameIndex } from './support/sampleIndex/assertSameIndex.ts'
import { dumpIndex } from './support/sampleIndex/dumpIndex.ts'
import { tempFolder } from './support/tempFolder.ts'
import { isLong } from './support/testLength.ts'

const { signal } = new AbortController()

/** All that was recorded, or its first part in the short form; a block of it that is lost, and one that is gone back to. */
const [LAST, LOST, KEPT] = isLong ? [400, 333, 300] : [160, 133, 140]

type Operator = {
  readonly database: Database
  readonly workingDir: string
  /** Runs a command on the database in the data folder. */
  run(...args: string[]): ReturnType<typeof runCommandLine>
}

/** A data folder with the embedded server in it, which stays up between the commands, as under a service. */
const openDataFolder = async (t: TestContext): Promise<Operator> => {
  const workingDir = tempFolder(t)
  const folder = join(workingDir, '.chaincenter', 'postgres')
  const server = await startEmbeddedServer({ folder, logger: silentLogger, signal, durability: 'none' })
  const database = await connectDatabase({ url: server.url, logger: silentLogger, signal })
  t.after(async () => {
    await database.close()
    await server.stop()
  })
  return {
    database,
    workingDir,
    run: (...args) => runCommandLine(t, [...args, '--log-level', 'warn'], { workingDir }),
  }
}

const query = async <Row>(database: Database, text: string): Promise<Row[]> =>
  database.transaction(async (client) => (await client.query(text)).rows as Row[])

test('the recorded network, by the commands of an operator', { timeout: 300_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const { database, workingDir, run } = await openDataFolder(t)
  const archive = localnetPackages()
  const source = ['--archive', archive]
  const states = ['zerostate', 'basestate0'].flatMap((name) => [
    '--state-file',
    fixturePath(`localnet/config/${name}.boc`),
  ])
  const early = await run('db', 'verify')
  assert.equal(early.exitCode, 1)
  assert.match(early.err, /^The database lacks \d+ of \d+ migrations\. Run "chaincenter db migrate"\./)

  const index = async (to: number): Promise<void> => {
    const { exitCode, out, err } = await run('index', ...source, ...states, '--to', String(to))
    assert.deepEqual([exitCode, out], [0, ''])
    const warnings = err.split('\n').filter((line) => line !== '')
    // The virtual machine here is older than the network.
    assert.deepEqual(
      warnings.filter((line) => (JSON.parse(line) as { message: string }).message !== 'newer network'),
      [],
    )
  }
  await index(LAST)
  const whole = await dumpIndex(database)
  const transactions = whole['transactions']!.length

  const status = await run('db', 'status')
  assert.equal(status.exitCode, 0, status.err)
  assert.match(status.out, new RegExp(`\\nmasterchain blocks: 1 to ${LAST}\\n`))
  assert.match(status.out, new RegExp(`\\ntransactions: ${transactions} in ${LAST} blocks, \\d+ B each`))
  assert.doesNotMatch(status.out, /kept from/)
  t.diagnostic(/transactions: .*/.exec(status.out)![0])

  const clean = `${LAST} blocks, ${transactions} transactions, 0 findings\n`
  assert.deepEqual(await run('db', 'verify'), { exitCode: 0, out: clean, err: '' })
  assert.deepEqual(await run('db', 'verify', ...source), { exitCode: 0, out: clean, err: '' })
  const part = await run('db', 'verify', '--from', '100', '--to', '109', '--json')
  const value = JSON.parse(part.out) as Record<string, unknown>
  assert.deepEqual(value, {
    ranges: [{ first: 100, last: 109 }],
    source: false,
    complete: true,
    blocks: 10,
    transactions: value['transactions'],
    findings: [],
  })

  // Something that one account sent another is damaged, with whoever received it; and a block is lost.
  const [damaged] = await query<{ seqno: number; sender: number }>(
    database,
    `UPDATE transactions t SET in_value = t.in_value + 1 FROM transactions s
     WHERE s.account = t.in_source AND s.lt < t.in_created_lt AND s.lt + s.out_count >= t.in_created_lt AND s.mc_seqno < t.mc_seqno - 1
       AND (t.account, t.lt) = (SELECT r.account, r.lt FROM transactions r JOIN transactions q ON q.account = r.in_source
         AND q.lt < r.in_created_lt AND q.lt + q.out_count >= r.in_created_lt
         WHERE q.mc_seqno < r.mc_seqno - 1 AND q.mc_seqno > 90 ORDER BY r.lt LIMIT 1)
     RETURNING t.mc_seqno AS seqno, s.mc_seqno AS sender`,
  )
  assert.ok(damaged !== undefined && damaged.sender > 50 && damaged.seqno < LOST)
  t.diagnostic(`a message from block ${damaged.sender} to ${damaged.seqno}`)
  await query(database, `DELETE FROM indexed_blocks WHERE mc_seqno = ${LOST}`)
  await query(database, 'UPDATE indexed_blocks SET digest = sha256(digest) WHERE mc_seqno = 50')
  const words = 'rows_changed: its rows are not those that were written'
  const found = [
    `50 ${words}`,
    `${damaged.sender} ${words}`,
    `${damaged.seqno} ${words}`,
    `${LOST} block_missing: nothing says that it was indexed`,
  ].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  const bad = `${[...found, clean.replace('0 findings', '4 findings').trim()].join('\n')}\n`
  assert.deepEqual(await run('db', 'verify', ...source), { exitCode: 1, out: bad, err: '' })
  const asJson = await run('db', 'verify', '--json')
  assert.deepEqual(
    (JSON.parse(asJson.out) as { findings: { seqno: number; fault: string }[] }).findings.map(
      ({ seqno, fault }) => `${seqno} ${fault}`,
    ),
    found.map((line) => line.slice(0, line.indexOf(':'))),
  )

  const blind = await run('db', 'repair')
  assert.equal(blind.exitCode, 2)
  assert.match(blind.err, /^repair needs a source of blocks, but no network and no --archive is configured\.\n/)
  const lease = await acquireLease(database, {
    name: 'indexer',
    holder: 'a machine, process 1',
    logger: silentLogger,
    signal,
  })
  for (const args of [
    ['db', 'repair', ...source],
    ['db', 'rewind', String(KEPT)],
  ]) {
    const refused = await run(...args)
    assert.equal(refused.exitCode, 1)
    assert.match(
      refused.err,
      /^The lease "indexer" is held by a machine, process 1, since 20\S+Z\.\nOnly one process is the leader/,
    )
  }
  await lease.release()

  // Blocks are looked at 32 at a time. The sender is the last of such: it is seen to be whole only after the receiver had its turn.
  const from = Math.max(1, damaged.sender - 31)
  const some = ['--from', String(from), '--to', String(damaged.seqno)]
  // Without whoever received the message, nothing can be done.
  const vain = await run('db', 'repair', ...source, '--from', String(from), '--to', String(damaged.sender))
  assert.equal(vain.exitCode, 1)
  assert.match(
    vain.out,
    new RegExp(`^${damaged.sender} ${words}; not mended\\n\\d+ blocks, .*, 1 finding, 0 mended\\n$`),
  )
  const first = await run('db', 'repair', ...source, ...some)
  assert.deepEqual([first.exitCode, first.err], [0, ''])
  assert.deepEqual(first.out.split('\n').slice(0, 2), [
    `${damaged.seqno} ${words}; mended`,
    `${damaged.sender} ${words}; mended`,
  ])
  const repaired = await run('db', 'repair', ...source)
  assert.deepEqual(repaired, {
    exitCode: 0,
    out: `${[found[0], found[3]].map((line) => `${line}; mended\n`).join('')}${LAST} blocks, ${transactions} transactions, 2 findings, 2 mended\n`,
    err: '',
  })
  assert.deepEqual(await run('db', 'verify', ...source), { exitCode: 0, out: clean, err: '' })
  assertSameIndex(await dumpIndex(database), whole)

  const back = await run('db', 'rewind', String(KEPT))
  assert.deepEqual(back, {
    exitCode: 0,
    out: `Masterchain blocks ${KEPT + 1} to ${LAST} are taken back.\nCovered are 1 to ${KEPT}.\n`,
    err: '',
  })
  assert.match((await run('db', 'status')).out, new RegExp(`\\nmasterchain blocks: 1 to ${KEPT}\\n`))
  const nothing = await run('db', 'rewind', String(KEPT), '--json')
  assert.deepEqual(JSON.parse(nothing.out), { seqno: KEPT, takenBack: [], ranges: [{ first: 1, last: KEPT }] })
  await index(LAST)
  assertSameIndex(await dumpIndex(database), whole)
  assert.deepEqual(await run('db', 'verify', ...source), { exitCode: 0, out: clean, err: '' })

  await query(database, 'UPDATE indexed_blocks SET digest = sha256(digest) WHERE mc_seqno = 5')
  await stopInTheMiddle(t, workingDir, source)
})

/** Ctrl-C: what is under way is finished, then everything is closed, and what was found so far is said. */
const stopInTheMiddle = async (t: TestContext, workingDir: string, source: readonly string[]): Promise<void> => {
  const signals = new EventEmitter()
  let exited: number | undefined
  const said: string[] = []
  await runCommandLine(t, ['db', 'verify', ...source, '--log-level', 'warn'], {
    workingDir,
    signals: Object.assign(signals, {
      exit: (code: number) => {
        exited = code
      },
    }),
    writeOut: (text) => {
      if (said.push(text) === 1) signals.emit('SIGINT')
    },
    writeError: (text) => said.push(text),
  })
  assert.equal(exited, 0)
  assert.match(
    said.join(''),
    /^5 rows_changed: .*\nStopped before the end: (32|64|96) blocks, \d+ transactions, 1 finding\n$/,
  )
}

test('words that rewind and verify do not take', async (t) => {
  for (const [args, message] of [
    [['rewind'], /^Expected the seqno of a masterchain block for rewind, but got none\./],
    [['rewind', '-5'], /^Unknown flag "-5"\./],
    [['rewind', '1e3'], /^Expected the seqno .*, but got "1e3"\./],
    [['rewind', '2147483648'], /^Expected the seqno .*, but got "2147483648"\./],
    [['verify', '--from', '7', '--to', '6'], /^Expected --from to be at most --to, but --from is 7 and --to is 6\./],
    [['verify', '7'], /^verify takes no argument, but got "7"\./],
  ] as const) {
    const { exitCode, err } = await runCommandLine(t, ['db', ...args])
    assert.equal(exitCode, 2)
    assert.match(err, message)
  }
})

test('packages of a network whose states are not known', { timeout: 300_000 }, async (t) => {
  if (!haveDatabase(t) || !haveFixtures(t, 'mainnet/archives')) return
  const { database, run } = await openDataFolder(t)
  const packages = readFixtureJson<Package[]>('mainnet/archives/index.json').filter(({ file }) =>
    file.startsWith('localnet/'),
  )
  const source = ['--archive', fixturePath('mainnet/archives/localnet')]
  // Pieces with a hole between them, in any order. The first block above the hole cannot be read without the one before, and of the
  // last not all blocks of shards are there.
  for (const [from, to] of [
    [50, 99],
    [201, 263],
    [1, 99],
  ]) {
    const result = await run('index', ...source, '--from', String(from), '--to', String(to))
    assert.deepEqual(result, { exitCode: 0, out: '', err: '' })
  }
  assert.match((await run('db', 'status')).out, /\nmasterchain blocks: 1 to 99, 201 to 263\n/)
  const other = await run('db', 'verify', '--archive', fixturePath('mainnet/archives/mainnet'))
  assert.equal(other.exitCode, 1)
  assert.match(other.err, /^The database is an index of the network whose zero state is/)
  const stored = await query<{ id: string; tx_count: number; mc_seqno: number }>(
    database,
    `SELECT format('(%s,%s,%s)', workchain, lpad(to_hex(shard), 16, '0'), seqno) AS id, tx_count, mc_seqno FROM blocks`,
  )
  const counts = new Map(stored.map(({ id, tx_count }) => [id, tx_count]))
  for (const { file, tx_total } of packages) {
    // Each package has one block twice.
    const entries = readFixtureJson<{ id: string; tx_count: number }[]>(
      `mainnet/archives/${file.replace('.pack', '.entries.json')}`,
    )
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length - 1)
    const missing = entries.filter(({ id }) => !counts.has(id))
    for (const { id, tx_count } of entries) assert.equal(counts.get(id) ?? tx_count, tx_count, id)
    assert.equal(
      entries.reduce((sum, { tx_count }) => sum + tx_count, 0),
      tx_total,
    )
    t.diagnostic(`${file}: ${entries.length} entries, ${missing.length} of them not indexed`)
    assert.deepEqual(
      missing.map(({ id }) => id).filter((id) => id.startsWith('(-1,')),
      file.includes('00200') ? ['(-1,8000000000000000,200)', '(-1,8000000000000000,264)'] : [],
    )
    assert.ok(missing.length <= 15)
  }
  const transactions = stored.reduce((sum, { tx_count }) => sum + tx_count, 0)
  assert.deepEqual(await run('db', 'verify', ...source), {
    exitCode: 0,
    out: `162 blocks, ${transactions} transactions, 0 findings\n`,
    err: '',
  })
})

type Package = { readonly file: string; readonly tx_total: number; readonly entries: { readonly proof?: number } }

test('the first blocks of the main network, from its zero states', { timeout: 300_000 }, async (t) => {
  if (!haveDatabase(t) || !haveFixtures(t, 'mainnet/archives') || !haveFixtures(t, 'mainnet/states')) return
  const { database, run } = await openDataFolder(t)
  const packages = readFixtureJson<Package[]>('mainnet/archives/index.json').filter(({ file }) =>
    file.startsWith('mainnet/'),
  )
  const expected = packages.reduce((sum, { tx_total }) => sum + tx_total, 0)
  const blocks = packages.reduce((sum, { entries }) => sum + (entries.proof ?? 0), 0)
  const source = ['--archive', fixturePath('mainnet/archives/mainnet')]
  const states = ['zerostate_-1', 'zerostate_0'].flatMap((name) => [
    '--state-file',
    fixturePath(`mainnet/states/mainnet/${name}.boc`),
  ])
  const result = await run('index', ...source, ...states, '--to', String(blocks))
  assert.deepEqual(result, { exitCode: 0, out: '', err: '' })
  const verified = await run('db', 'verify', ...source)
  assert.deepEqual(verified, {
    exitCode: 0,
    out: `${blocks} blocks, ${expected} transactions, 0 findings\n`,
    err: '',
  })
  const [counts] = await query<{ shards: string }>(
    database,
    'SELECT count(*)::text AS shards FROM blocks WHERE workchain = 0',
  )
  t.diagnostic(`${expected} transactions in ${blocks} masterchain blocks and ${counts!.shards} of shards`)
})
