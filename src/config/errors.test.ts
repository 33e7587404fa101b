import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggest } from './errors.ts'

const candidates = ['start', 'serve', '--log-level', '--log-format', 'dataDir']

for (const [word, expected] of [
  ['strat', 'start'],
  ['stat', 'start'],
  ['startt', 'start'],
  ['START', 'start'],
  ['--loglevel', '--log-level'],
  ['--log-fromat', '--log-format'],
  ['datadir', 'dataDir'],
  ['xyz', undefined],
  ['', undefined],
  ['s'.repeat(100_000), undefined],
] as const) {
  test(`${word.slice(0, 20)} suggests ${expected}`, () => assert.equal(suggest(word, candidates), expected))
}
