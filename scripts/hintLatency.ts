// node --import tsx scripts/hintLatency.ts [--messages 2000] [--rate 500]
// How fast a hint goes from one process to another: by PostgreSQL notifications or by Redis pub/sub. Another process echoes each
// message, so a time is half of a round trip. First one at a time, then at a rate. The last line is JSON.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import pg from 'pg'
import { createTestDatabase, startTestServer } from '../test/support/databaseServer.ts'
import { formatTable } from '../test/support/formatTable.ts'
import { startRedis } from '../test/support/redisServer.ts'

type Wire = {
  send(channel: string, text: string): Promise<unknown>
  listen(channel: string, listener: (text: string) => void): Promise<void>
  close(): Promise<unknown>
}

const PING = 'hint_ping'
const PONG = 'hint_pong'

const openPostgres = async (url: string): Promise<Wire> => {
  const [writer, reader] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([writer.connect(), reader.connect()])
  return {
    send: (channel, text) => writer.query('SELECT pg_notify($1, $2)', [channel, text]),
    listen: async (channel, listener) => {
      reader.on('notification', ({ payload = '' }) => listener(payload))
      await reader.query(`LISTEN ${channel}`)
    },
    close: () => Promise.all([writer.end(), reader.end()]),
  }
}

const openRedis = async (url: string): Promise<Wire> => {
  const [writer, reader] = [new Redis(url), new Redis(url)]
  return {
    send: (channel, text) => writer.publish(channel, text),
    listen: async (channel, listener) => {
      reader.on('message', (_channel: string, text: string) => listener(text))
      await reader.subscribe(channel)
    },
    close: async () => {
      writer.disconnect()
      reader.disconnect()
    },
  }
}

const openWire = (url: string): Promise<Wire> => (url.startsWith('redis') ? openRedis(url) : openPostgres(url))

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '500' },
    echo: { type: 'string' },
  },
})

const echo = async (url: string): Promise<void> => {
  const wire = await openWire(url)
  await wire.listen(PING, (text) => void wire.send(PONG, text))
  process.stdout.write('ready\n')
}

type Times = { readonly p50: number; readonly p99: number }

const summarize = (times: number[]): Times => {
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number): number => Number(sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(3))
  return { p50: at(0.5), p99: at(0.99) }
}

const measure = async (url: string): Promise<{ readonly alone: Times; readonly loaded: Times }> => {
  const child = spawn(process.execPath, ['--import', 'tsx', import.meta.filename, '--echo', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const wire = await openWire(url)
  const sentAt = new Map<string, number>()
  let times: number[] = []
  let arrived: (() => void) | undefined
  await wire.listen(PONG, (text) => {
    times.push((performance.now() - sentAt.get(text)!) / 2)
    sentAt.delete(text)
    arrived?.()
  })
  const ping = (name: string): void => {
    sentAt.set(name, performance.now())
    void wire.send(PING, name)
  }
  const count = Number(values.messages)
  for (let k = 0; k < count; k++) {
    const back = new Promise<void>((done) => {
      arrived = done
    })
    ping(`a${k}`)
    await back
  }
  const alone = summarize(times)
  times = []
  const begun = performance.now()
  for (let k = 0; k < count; k++) {
    const due = begun + (1000 * k) / Number(values.rate) - performance.now()
    if (due > 1) await delay(due)
    ping(`b${k}`)
  }
  while (sentAt.size > 0) await delay(10)
  const loaded = summarize(times)
  await wire.close()
  child.kill('SIGTERM')
  return { alone, loaded }
}

const run = async (): Promise<void> => {
  const endings: (() => unknown)[] = []
  const server = await startTestServer()
  endings.push(() => server.stop())
  try {
    const { url, drop } = await createTestDatabase(server.url, 'empty')
    endings.push(drop)
    const redis = await startRedis({ after: (ending) => void endings.push(ending) })
    const results = { postgres: await measure(url), redis: await measure(redis.url) }
    console.log(
      formatTable(
        Object.entries(results).map(([by, { alone, loaded }]) => ({
          by,
          'alone p50 ms': alone.p50,
          'p99 ms': alone.p99,
          [`${values.rate}/s p50 ms`]: loaded.p50,
          [`${values.rate}/s p99 ms`]: loaded.p99,
        })),
      ),
    )
    console.log(JSON.stringify(results))
  } finally {
    for (const end of endings.reverse()) await end()
  }
}

await (values.echo === undefined ? run() : echo(values.echo))
