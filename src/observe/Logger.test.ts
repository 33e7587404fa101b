import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger, type LoggerOptions, toLogValue } from './Logger.ts'

const now = () => new Date('2026-01-02T03:04:05.678Z')

const createTestLogger = (options: Partial<LoggerOptions> = {}) => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger = createLogger({ level: 'debug', format: 'json', colours: false, now, write, ...options })
  return { logger, lines }
}

test('a JSON line has time, level and message first, then the fields', () => {
  const { logger, lines } = createTestLogger()
  logger.info('block indexed', { seqno: 5, lt: 7n, hash: Uint8Array.of(0, 255), missing: undefined })
  assert.deepEqual(lines, [
    '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"block indexed","seqno":5,"lt":"7","hash":"00ff"}\n',
  ])
})

test('a child adds its fields to every line, and a line may say better', () => {
  const { logger, lines } = createTestLogger()
  logger.child({ part: 'store', shard: 1 }).child({ shard: 2 }).warn('slow', { ms: 9 })
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    time: '2026-01-02T03:04:05.678Z',
    level: 'warn',
    message: 'slow',
    part: 'store',
    shard: 2,
    ms: 9,
  })
})

for (const { level, expected } of [
  { level: 'debug', expected: ['debug', 'info', 'warn', 'error'] },
  { level: 'warn', expected: ['warn', 'error'] },
  { level: 'silent', expected: [] },
] as const) {
  test(`level ${level} writes ${expected.join(', ') || 'nothing'}`, () => {
    const { logger, lines } = createTestLogger({ level })
    for (const name of ['debug', 'info', 'warn', 'error'] as const) logger[name]('said')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { level: string }).level),
      expected,
    )
  })
}

test('a pretty line is short, quotes what needs it and puts the stack below', () => {
  const { logger, lines } = createTestLogger({ format: 'pretty' })
  logger.info('listening', { url: 'http://localhost:1/', note: 'two words', list: [1, 2n], none: undefined })
  assert.equal(lines[0], '03:04:05.678 info  listening url=http://localhost:1/ note="two words" list=[1,"2"]\n')
  const error = new Error('broken')
  logger.error('failed', { error })
  assert.equal(lines[1], `03:04:05.678 error failed error=broken\n${error.stack}\n`)
})

test('a pretty line is coloured only when asked for', () => {
  const { logger, lines } = createTestLogger({ format: 'pretty', colours: true })
  logger.info('x')
  assert.equal(lines[0], '\u001b[2m03:04:05.678\u001b[0m \u001b[36minfo \u001b[0m x\n')
})

test('plain values stay, others become what JSON can carry', () => {
  const date = new Date(0)
  assert.deepEqual(toLogValue({ a: 1, b: 'x', c: null, d: true, e: 2n ** 70n, f: [1n], g: date }), {
    a: 1,
    b: 'x',
    c: null,
    d: true,
    e: '1180591620717411303424',
    f: ['1'],
    g: '1970-01-01T00:00:00.000Z',
  })
  assert.equal(toLogValue(Symbol('s')), 'Symbol(s)')
})

test('long bytes and long lists are cut, and say so', () => {
  assert.equal(toLogValue(new Uint8Array(65)), `${'00'.repeat(64)}… (65 bytes)`)
  const shown = toLogValue(Array.from({ length: 101 }, (_, i) => i)) as unknown[]
  assert.equal(shown.length, 101)
  assert.equal(shown[100], '… (101 items)')
})

test('an error keeps code, stack and cause', () => {
  const cause = Object.assign(new Error('inner'), { code: 'ECONNRESET' })
  const error = new Error('outer', { cause })
  assert.deepEqual(toLogValue({ error }), {
    error: {
      message: 'outer',
      stack: error.stack,
      cause: { code: 'ECONNRESET', message: 'inner', stack: cause.stack },
    },
  })
})

test('a cycle and a getter that throws do not break the line', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  assert.match(JSON.stringify(toLogValue(cycle)), /\[not shown: too deep\]/)
  const hostile = {
    get x(): never {
      throw new Error('no')
    },
  }
  assert.equal(toLogValue(hostile), '[not shown: reading the value failed]')
})
