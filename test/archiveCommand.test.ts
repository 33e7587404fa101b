import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { exportPartitions } from '../src/store/archive/exportPartitions.ts'
import { listManifests } from '../src/store/archive/manifest.ts'
import { loadParquet } from '../src/store/archive/parquet.ts'
import { archivedTables, fixOutput, readFingerprint } from '../src/store/archive/tableRows.ts'
import { connectDatabase } from '../src/store/connect/connectDatabase.ts'
import type { Database } from '../src/store/connect/Database.ts'
import { listPartitions } from '../src/store/writer/partitions.ts'
import { freshDatabase, missingDatabase } from './support/database.ts'
import { silentLogger } from './support/databaseServer.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { tempFolder } from './support/tempFolder.ts'
import { closeSharedMachine } from './support/testNetwork.ts'
import { getV3 } from './support/v3Client.ts'
import { openV3Demo } from './support/v3Demo.ts'
import { serveV3, startV3Network } from './support/v3Service.ts'
import { waitUntil } from './support/waitUntil.ts'

const WIDTH = 10
const END = 20
const { signal } = new AbortController()

const findMissing = async (): Promise<string | false> =>
  loadParquet().then(
    () => missingDatabase(),
    () => 'NOT TESTED: hyparquet is not installed.',
  )

describe('cold history', { skip: await findMissing() }, () => {
  const endings: (() => unknown)[] = []
  const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
  let url: string
  let database: Database
  let base: string
  let folder: string
  let whole: Readonly<Record<string, unknown>>
  let answers: readonly string[]
  let partitions: number

  before(async () => {
    url = await freshDatabase(cleanup)
    database = await connectDatabase({ url, logger: silentLogger, signal })
    cleanup.after(() => database.close())
    // Jettons, NFTs, swaps and what else the demonstration has; then the indexer stops.
    const making: (() => unknown)[] = []
    const service = await startV3Network({ after: (ending) => void making.push(ending) }, database, {
      partitionWidth: WIDTH,
    })
    await openV3Demo(service)
    const isClassified = async (): Promise<boolean> =>
      database.transaction(async (client) => (await client.query('SELECT FROM unclassified_blocks')).rowCount === 0)
    await waitUntil('all is classified', isClassified)
    for (const ending of making.reverse()) await ending()
    base = `${(await serveV3(cleanup, database)).url}/api/v3`
    folder = join(tempFolder(cleanup), 'cold')
    whole = await readWhole()
    partitions = await countPartitions()
    answers = await askAll()
  })
  after(async () => {
    for (const ending of endings.reverse()) await ending()
    await closeSharedMachine()
  })

  const db = (t: TestContext, ...args: string[]) =>
    runCommandLine(t, ['db', ...args, '--database-url', url, '--log-level', 'silent', '--json'])
  const folderArgs = (): string[] => ['--folder', folder]

  /** The rows of all tables, byte for byte as the server writes them. */
  const readWhole = (): Promise<Readonly<Record<string, unknown>>> =>
    database.transaction(async (client) => {
      await fixOutput(client)
      const whole: Record<string, unknown> = {}
      for (const table of [
        ...archivedTables,
        'open_traces',
        'covered_ranges',
        'index_state',
        'latest_account_states',
      ]) {
        whole[table] = await readFingerprint(client, table)
      }
      return whole
    })

  const askAll = async (): Promise<readonly string[]> => {
    const questions: [string, object][] = [
      ['transactions', { limit: 200, sort: 'asc' }],
      ['messages', { limit: 200, sort: 'asc' }],
      ['traces', { limit: 100, sort: 'asc' }],
      ['actions', { limit: 200, sort: 'asc', include_transactions: true }],
      ['blocks', { limit: 200, sort: 'asc' }],
      ['jetton/transfers', { limit: 200, sort: 'asc' }],
      ['nft/transfers', { limit: 200, sort: 'asc' }],
      ['changes', { since: 2, limit: 30 }],
      ['masterchainBlockShardState', { seqno: 3 }],
    ]
    const texts: string[] = []
    for (const [name, args] of questions) {
      const { status, body } = await getV3(base, name, args as Record<string, unknown>)
      texts.push(`${name} ${status} ${JSON.stringify(body)}`)
    }
    return texts
  }

  const countPartitions = async (): Promise<number> => (await database.transaction(listPartitions)).length

  it('is exported while the index is used, and goes on where it was stopped', async (t) => {
    const parquet = await loadParquet()
    const stopping = new AbortController()
    const steps: string[] = []
    const stopped = exportPartitions(database, {
      folder,
      before: END + 3,
      parquet,
      signal: stopping.signal,
      onStep: ({ start, table }) => {
        steps.push(`${start} ${table}`)
        if (steps.length === 5) stopping.abort(new Error('enough'))
      },
    })
    await assert.rejects(stopped, /enough/)
    assert.equal(steps.length, 5)
    assert.deepEqual(listManifests(folder), [], 'nothing counts before it is whole')
    assert.deepEqual(
      readdirSync(join(folder, '0')).filter((name) => name.endsWith('.part')),
      [],
    )
    const isNew: boolean[] = []
    const {
      partitions: exported,
      rows,
      end,
    } = await exportPartitions(database, {
      folder,
      before: END + 3,
      parquet,
      signal,
      onStep: (step) => isNew.push(step.isNew),
    })
    assert.deepEqual([exported, end, isNew.length], [2, END, 2 * archivedTables.length])
    assert.deepEqual(isNew.slice(0, 6), [false, false, false, false, false, true])
    const filled = listManifests(folder).flatMap(({ tables }) => tables.filter((each) => each.rows > 0))
    t.diagnostic(JSON.stringify(Object.fromEntries(filled.map((each) => [each.table, each.rows]))))
    for (const table of ['transactions', 'actions', 'jetton_balances', 'message_contents', 'transaction_lookup']) {
      assert.ok(
        filled.some((each) => each.table === table),
        `${table} has no rows`,
      )
    }
    assert.deepEqual(
      listManifests(folder).map(({ start, end: last }) => [start, last]),
      [
        [10, 20],
        [0, 10],
      ],
    )
    // A file that was damaged since is written again, and no other.
    const victim = join(folder, '10', 'transactions.0.parquet')
    const other = join(folder, '10', 'blocks.0.parquet')
    const { ino } = statSync(other)
    writeFileSync(victim, 'PAR1')
    const { exitCode, out } = await db(t, 'export', '--before', String(END + 3), ...folderArgs())
    assert.deepEqual([exitCode, JSON.parse(out).rows], [0, rows], out)
    assert.ok(statSync(victim).size > 1000)
    assert.equal(statSync(other).ino, ino)
    assert.deepEqual(await readWhole(), whole, 'the index is as before')
  })

  it('is dropped, and answers say so', async (t) => {
    const { exitCode, out, err } = await db(t, 'export', '--before', String(END + 3), '--drop', ...folderArgs())
    assert.deepEqual([exitCode, JSON.parse(out).retainedFrom], [0, END], out + err)
    assert.equal(await countPartitions(), partitions - 2 * 14)
    await waitUntil(
      'the header says so',
      async () => (await getV3(base, 'blocks', { limit: 1 })).headers.get('x-indexed-from') === String(END),
    )
    const { status, body } = await getV3(base, 'changes', { since: 2 })
    assert.deepEqual([status, body.error], [410, `since is older than what is kept: masterchain block ${END}`])
    const { body: blocks } = await getV3(base, 'blocks', { workchain: -1, limit: 1, sort: 'asc' })
    assert.equal(blocks.blocks[0].seqno, END)
    assert.match((await db(t, 'status')).out, /"retainedFrom": ?20/)
  })

  it('is not imported from damaged files', async (t) => {
    const path = join(folder, '10', 'transactions.0.parquet')
    const bytes = readFileSync(path)
    const gone = await readWhole()
    const refuse = async (said: RegExp): Promise<void> => {
      const { exitCode, out } = await db(t, 'import', ...folderArgs())
      assert.equal(exitCode, 1)
      const { code, message } = (JSON.parse(out) as { error: { code: string; message: string } }).error
      assert.equal(code, 'archive_invalid', out)
      assert.match(message, said)
      assert.deepEqual(await readWhole(), gone)
      assert.equal(await countPartitions(), partitions - 2 * 14)
    }
    const flipped = Uint8Array.from(bytes)
    flipped[bytes.length >> 1]! ^= 1
    writeFileSync(path, flipped)
    await refuse(/transactions\.0\.parquet is damaged: its SHA-256/)
    writeFileSync(path, bytes.subarray(0, -1))
    await refuse(/has \d+ bytes, and \d+ were written/)
    rmSync(path)
    await refuse(/is missing/)
    writeFileSync(path, bytes)
    const manifest = join(folder, '10', 'manifest.json')
    const text = readFileSync(manifest, 'utf8')
    // Rows that are not those of the manifest, although the file is.
    writeFileSync(manifest, text.replace(/("table": "transactions",\s+"rows": \d+,\s+"fingerprint": ")-?\d/, '$17'))
    await refuse(/transactions: \d+ rows were imported, and they are not the \d+ rows that were exported/)
    writeFileSync(manifest, text.slice(0, 100))
    await refuse(/manifest\.json is damaged/)
    writeFileSync(manifest, text.replace(/"zeroState": "../, '"zeroState": "00'))
    await refuse(/of another network/)
    writeFileSync(manifest, text)
    const empty = await db(t, 'import', '--folder', join(folder, 'nowhere'))
    assert.match(empty.out, /There is no folder/)
  })

  it('comes back byte for byte', async (t) => {
    const { exitCode, out, err } = await db(t, 'import', ...folderArgs())
    assert.deepEqual([exitCode, JSON.parse(out).partitions, JSON.parse(out).first], [0, 2, 1], out + err)
    assert.deepEqual(await readWhole(), whole)
    assert.deepEqual(await askAll(), answers)
    const verified = await db(t, 'verify')
    assert.equal(verified.exitCode, 0, verified.out)
    const again = await db(t, 'import', ...folderArgs())
    assert.match(again.out, /ends below block 1, where the index begins/)
  })

  it('moves to another tablespace', async (t) => {
    const name = `cold_${process.pid}`
    await database.openConnection('test').then(async (client) => {
      await client.query('SET allow_in_place_tablespaces TO on')
      await client.query(`CREATE TABLESPACE ${name} LOCATION ''`)
      await client.end()
    })
    const move = () => db(t, 'move', '--before', '15', '--tablespace', name)
    const { exitCode, out } = await move()
    assert.deepEqual([exitCode, JSON.parse(out).tables], [0, 14], out)
    assert.equal(JSON.parse((await move()).out).tables, 0)
    assert.deepEqual(await readWhole(), whole)
    assert.deepEqual(await askAll(), answers)
    assert.match((await db(t, 'move', '--before', '15', '--tablespace', 'none')).out, /no tablespace none/)
    await db(t, 'move', '--before', '15', '--tablespace', 'pg_default')
    await database.openConnection('test').then(async (client) => {
      await client.query(`DROP TABLESPACE ${name}`)
      await client.end()
    })
  })

  it('refuses what it cannot do', async (t) => {
    const refusals: [readonly string[], RegExp][] = [
      [['export', '--before', '20'], /need --folder/],
      [['export', '--folder', folder], /Expected a masterchain block or a date for --before, but got none/],
      [['export', '--before', 'soon', '--folder', folder], /got \\"soon\\"/],
      [['export', '--before', '9999', '--folder', folder], /has gaps below masterchain block 9999/],
      [['export', '--before', '2999-01-01', '--folder', folder], /no block of 2999-01-01 or later/],
      [['move', '--before', '20'], /move needs --tablespace/],
    ]
    for (const [args, said] of refusals) {
      const { exitCode, out } = await db(t, ...args)
      assert.notEqual(exitCode, 0)
      assert.match(out, said)
    }
  })
})
