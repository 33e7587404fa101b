import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choosePageMemory, explainOutput, isLeftover } from './cluster.ts'

test('pages have a quarter of the memory, neither too little nor too much', () => {
  const gib = 2 ** 30
  const chosen = [1, 4, 8, 24, 32, 512].map((size) => choosePageMemory(size * gib))
  assert.deepEqual(chosen, ['256MB', '1024MB', '2048MB', '6144MB', '8192MB', '8192MB'])
})

const time = '2026-11-15 08:19:46.519 UTC [16952] '

const cases: readonly { readonly output: string; readonly expected: RegExp }[] = [
  {
    output: `${time}LOG:  starting\n${time}FATAL:  could not write to file "pg_wal/xlogtemp.29": No space left on device\n`,
    expected: /no space left on its disk\. .* It said: could not write to file "pg_wal\/xlogtemp\.29": No space/,
  },
  {
    output: `${time}FATAL:  database files are incompatible with server\n${time}DETAIL:  The data directory …`,
    expected: /made by another version of PostgreSQL.* It said: database files are incompatible with server$/,
  },
  {
    output: `${time}LOG:  could not bind IPv4 address "127.0.0.1": Address already in use\n${time}FATAL:  could not create any TCP/IP sockets\n`,
    expected: /something else holds it\. It said: could not create any TCP\/IP sockets$/,
  },
  {
    output: `${time}FATAL:  lock file "postmaster.pid" already exists\n${time}HINT:  Is another postmaster running?`,
    expected: /Another server, which this program did not start/,
  },
  {
    output: `${time}FATAL:  could not map anonymous shared memory: Cannot allocate memory`,
    expected: /did not give it the memory/,
  },
  {
    output: 'initdb: error: could not look up effective user ID 1000950000: user does not exist\n',
    expected: /entry in \/etc\/passwd.* It said: could not look up effective user ID 1000950000: user does not exist$/,
  },
  {
    output: `${time}PANIC:  could not locate a valid checkpoint record at 0/1EA49D0`,
    expected: /Its files are damaged/,
  },
  { output: 'something new\n', expected: /^The database server in \/x did not start\. It said: something new$/ },
  { output: '', expected: /^The database server in \/x did not start\.$/ },
]

for (const { output, expected } of cases) {
  test(`explains ${JSON.stringify(output.slice(-60))}`, () => {
    assert.match(explainOutput(output, '/x'), expected)
    assert.equal(isLeftover(output), false)
  })
}

test('processes of a killed server are waited for', () => {
  assert.equal(isLeftover(`${time}FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use`), true)
})
