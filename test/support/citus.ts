import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type pg from 'pg'
import { openClient } from '../../src/store/connect/openClient.ts'
import { distributeTables } from '../../src/store/distributed/distributeTables.ts'
import { migrateDatabase } from '../../src/store/migrate/migrateDatabase.ts'
import { silentLogger } from './databaseServer.ts'
import { parentOf } from './processTree.ts'

/** A Citus coordinator by the URL of a database that knows the workers, and whose user may create databases on all of them. */
const coordinator = process.env['CHAINCENTER_TEST_CITUS'] || undefined

/** Where there is no cluster to test with, why a test is skipped; else `false`. */
export const missingCitus = (): string | false =>
  coordinator === undefined ? 'NOT TESTED: CHAINCENTER_TEST_CITUS names no Citus coordinator.' : false

export type ClusterNode = { readonly host: string; readonly port: number }

const urlOf = (name: string, node?: ClusterNode): string => {
  const url = new URL(coordinator!)
  url.pathname = `/${name}`
  if (node !== undefined) {
    url.hostname = node.host
    url.port = String(node.port)
  }
  return url.href
}

const ask = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 0 })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The URL of a fresh database of the cluster, migrated and distributed, which is dropped after the test. */
export const freshCitusDatabase = async (
  t: Pick<TestContext, 'after'>,
  content: 'distributed' | 'migrated' = 'distributed',
): Promise<string> => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  const { rows: nodes } = await ask(coordinator!, (client) =>
    client.query<ClusterNode & { readonly coordinates: boolean }>(
      `SELECT nodename AS host, nodeport AS port, groupid = 0 AS coordinates FROM pg_dist_node ORDER BY groupid`,
    ),
  )
  const home = new URL(coordinator!).pathname.slice(1)
  for (const node of nodes) {
    await ask(urlOf(home, node), (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
    await ask(urlOf(name, node), (client) => client.query('CREATE EXTENSION citus'))
  }
  t.after(async () => {
    for (const node of nodes) {
      await ask(urlOf(home, node), (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    }
  })
  const url = urlOf(name)
  await ask(url, async (client) => {
    for (const { host, port, coordinates } of nodes) {
      await client.query(`SELECT ${coordinates ? 'citus_set_coordinator_host' : 'citus_add_node'}($1, $2)`, [
        host,
        port,
      ])
    }
    await migrateDatabase(client, { logger: silentLogger, signal: new AbortController().signal })
    if (content === 'distributed') await distributeTables(client)
  })
  return url
}

/** The URL of a fresh database on the coordinator's server alone, migrated, to compare with. It is dropped after the test. */
export const freshServerDatabase = async (t: Pick<TestContext, 'after'>): Promise<string> => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await ask(coordinator!, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
  t.after(() => ask(coordinator!, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
  await ask(urlOf(name), (client) =>
    migrateDatabase(client, { logger: silentLogger, signal: new AbortController().signal }),
  )
  return urlOf(name)
}

/** The first processes of the servers of the cluster, the coordinator's first; they must run on this machine. */
export const findServers = async (): Promise<readonly number[]> => {
  const { rows: nodes } = await ask(coordinator!, (client) =>
    client.query<ClusterNode>('SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid'),
  )
  const home = new URL(coordinator!).pathname.slice(1)
  const servers: number[] = []
  for (const node of nodes) {
    const server = await ask(urlOf(home, node), async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      return parentOf(rows[0]!.pid)
    })
    servers.push(server)
  }
  return servers
}

/** Makes a further server a worker of a database. It has no rows until shards are moved to it. */
export const addWorker = async (t: Pick<TestContext, 'after'>, url: string, worker: ClusterNode): Promise<void> => {
  const name = new URL(url).pathname.slice(1)
  const atHome = (statement: string) => ask(urlOf('postgres', worker), (client) => client.query(statement))
  await atHome(`CREATE DATABASE ${name} TEMPLATE template0`)
  t.after(() => atHome(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  await ask(urlOf(name, worker), (client) => client.query('CREATE EXTENSION citus'))
  await ask(url, (client) => client.query('SELECT citus_add_node($1, $2)', [worker.host, worker.port]))
}

/** Moves shards until every worker has its share. */
export const rebalance = (url: string): Promise<void> =>
  ask(url, async (client) => void (await client.query('SELECT rebalance_table_shards()')))

/** Moves the shard of an account, in all tables, to another worker; returns where it was and is. */
export const moveShard = (url: string, account: Uint8Array): Promise<readonly number[]> =>
  ask(url, async (client) => {
    const { rows } = await client.query<ClusterNode & { readonly id: bigint; readonly isHere: boolean }>(
      `SELECT p.shardid AS id, n.nodename AS host, n.nodeport AS port, n.groupid = p.groupid AS "isHere"
       FROM pg_dist_placement p, pg_dist_node n
       WHERE p.shardid = get_shard_id_for_distribution_column('transactions', $1::bytea) AND n.groupid <> 0`,
      [account],
    )
    const [from, to] = [rows.find(({ isHere }) => isHere)!, rows.find(({ isHere }) => !isHere)!]
    await client.query(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`, [
      from.id,
      from.host,
      from.port,
      to.host,
      to.port,
    ])
    return [from.port, to.port]
  })

/** How many shards are on each worker, by its port. */
export const countShards = (url: string): Promise<Record<string, number>> =>
  ask(url, async (client) => {
    const { rows } = await client.query<{ node: string; shards: number }>(
      `SELECT nodename || ':' || nodeport AS node, count(*)::int AS shards FROM citus_shards
       WHERE citus_table_type = 'distributed' GROUP BY 1 ORDER BY 1`,
    )
    return Object.fromEntries(rows.map(({ node, shards }) => [node, shards]))
  })

/** Takes a worker away from a database: its connections end, and no other is accepted until the returned function is called. */
export const cutWorker = async (url: string, at = 0): Promise<() => Promise<void>> => {
  const home = new URL(coordinator!).pathname.slice(1)
  const name = new URL(url).pathname.slice(1)
  const { rows } = await ask(url, (client) =>
    client.query<ClusterNode>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 ORDER BY groupid',
    ),
  )
  const worker = urlOf(home, rows[at]!)
  await ask(worker, async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  })
  return () => ask(worker, async (client) => void (await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)))
}

/** Ends every connection to the coordinator, as its restart does. */
export const cutCoordinator = (url: string): Promise<void> =>
  ask(urlOf(new URL(coordinator!).pathname.slice(1)), async (client) => {
    const name = new URL(url).pathname.slice(1)
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND backend_type = $2',
      [name, 'client backend'],
    )
  })
