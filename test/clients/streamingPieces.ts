import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { RunningNetwork } from '../../src/cli/dev/startNetwork.ts'
import { haveCurl, type Piece, pieceFolder, piecesIn, readPieces, runPiece } from '../support/docPieces.ts'
import { type SseFrame, SseParser } from '../support/streamClients.ts'
import { waitUntil } from '../support/waitUntil.ts'

const run = promisify(execFile)
const elector = `-1:${'3'.repeat(64)}`

/** Every piece of docs/streaming.md, as it stands there but for the address of the service. Its `js` runs in a browser. */
export const runStreamingPieces = async (t: TestContext, { url, client }: RunningNetwork): Promise<void> => {
  const pieces = readPieces('docs/streaming.md', {
    'http://127.0.0.1:8081': url!,
    '127.0.0.1:8081': new URL(url!).host,
  })
  assert.deepEqual([...new Set(pieces.map(({ language }) => language))].sort(), ['', 'js', 'sh', 'ts'])
  // What the subscriptions of the page are about.
  await client.dev.faucet({ address: elector, amount: '2000000000' })
  const folder = pieceFolder(t)
  const programs = piecesIn(pieces, 'ts').map((text, k) => runPiece(folder, String(k), text))
  const [[typed, webSocket, ...others]] = await Promise.all([Promise.all(programs), runCommands(t, pieces)])
  assert.match(typed!, /^\d+ transactions, /m)
  assert.match(typed!, /^balance /m)
  assert.match(webSocket!, /^subscribed 1\nblock \d+\n$/)
  assert.deepEqual(others, [])
}

const runCommands = async (t: TestContext, pieces: readonly Piece[]): Promise<void> => {
  if (!haveCurl(t)) return
  const commands = piecesIn(pieces, 'sh')
  const isStream = (command: string): boolean => command.startsWith('curl -N ')
  const streams = await Promise.all(commands.filter(isStream).map(followStream))
  const [shown, ...others] = piecesIn(pieces, '')
  assert.deepEqual(others, [])
  assertShown(streams[0]!, shown!)
  for (const command of commands.filter((each) => !isStream(each))) await readPages(command)
}

/** Runs a command that prints a stream without end, until an event of each type that its subscription names has come. */
const followStream = async (command: string): Promise<readonly SseFrame[]> => {
  const { types, addresses } = JSON.parse(/ -d '(.*)'\s*$/s.exec(command)![1]!) as Record<string, string[]>
  const curl = spawn('sh', ['-c', `exec ${command}`], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(curl, 'close')
  const parser = new SseParser()
  let text = ''
  curl.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    parser.push(chunk)
  })
  const wanted = types!.map((type) => (type === 'blocks' ? 'block' : type))
  const events = () => parser.frames.slice(1).map(({ data }) => JSON.parse(data))
  const lacking = () => wanted.filter((type) => !events().some((event) => event.type === type))
  const explain = () => `${command} prints no event of ${lacking()}, but ${text.slice(0, 500)}`
  try {
    await waitUntil(explain, () => curl.exitCode !== null || lacking().length === 0, { timeoutMs: 60_000 })
  } finally {
    curl.kill()
    await ended
  }
  assert.deepEqual(lacking(), [], explain())
  const transactions: { account: string }[] = events().flatMap((event) => event.transactions ?? [])
  assert.ok(transactions.every(({ account }) => addresses!.includes(account)))
  return parser.frames
}

/** Without what differs from network to network. */
const formOf = (text: string): string => text.replace(/-[0-9a-f]{16}$/, '-#').replaceAll(/-?\d+/g, '0')

/** The beginning of the stream has the frames, names and members that the page shows. */
const assertShown = (frames: readonly SseFrame[], shown: string): void => {
  const parser = new SseParser()
  parser.push(`${shown}\n`)
  assert.equal(parser.frames.length, 2)
  for (const [k, { event, data, id }] of parser.frames.entries()) {
    const frame = frames[k]!
    assert.equal(frame.event, event)
    const shownData = formOf(data.replace(/….*$/, ''))
    assert.equal(formOf(frame.data).slice(0, shownData.length), shownData)
    if (id !== undefined) assert.equal(formOf(frame.id!), formOf(id))
  }
}

/** Runs a command that polls: its answer, and the one after `next`, which continues it. */
const readPages = async (command: string): Promise<void> => {
  const read = async (text: string) => JSON.parse((await run('sh', ['-c', text])).stdout)
  const first = await read(command)
  assert.ok(first.events.length > 0, 'it waits for an event')
  const second = await read(command.replace('?', `?since=${first.next}&`))
  const events = [...first.events, ...second.events].map((event) => JSON.stringify(event))
  assert.equal(new Set(events).size, events.length)
  assert.ok(second.events.length > 0)
}
