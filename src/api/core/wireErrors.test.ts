import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../../../test/support/childScript.ts'
import { InvalidParamsError, toFailure } from './errors.ts'
import { isErrorCode, wireErrors } from './wireErrors.ts'

/** Whose failures never come to a caller: others turn them into theirs, or nothing has been started yet when they happen. */
const innerParts =
  /^(primitives|codec|adnl|config|cli|indexer|metadata|testing|node\/globalConfig|contracts|actions|devnet\/(genesis|wallets|store|demo)|store\/(schema|embedded|archive)|api\/core\/create(Client|HttpServer))\b/
const innerCodes = [
  'dev_folder_mismatch',
  'embedded_database',
  'row_value_invalid',
  'database_extension',
  'database_schema',
  'database_version',
  'embedded_database',
  'compaction_running',
  'lease_held',
  'lease_lost',
  'order_too_large',
  // The block maker fetches the account and repeats its step.
  'dev_account_missing',
  // Found when a forked network starts.
  'fork_record_invalid',
  // Files are read by the command line alone.
  'replay_file_invalid',
  // Another process sends to the endpoint.
  'webhook_lost',
  // The editor is told.
  'dap_input_invalid',
  // Found before anything else is started.
  'telemetry_not_installed',
]

const source = join(repository, 'src')

const declared = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.(test|test-d|bench)\.ts$/.test(file))
  .flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/readonly code = '(\w+)'/g)].map(([, code]) => ({
      file,
      code: code!,
    })),
  )

test('every error class of the program has a row here, or is known to end before an interface', () => {
  assert.ok(declared.length > 25, `only ${declared.length} codes were found`)
  const homeless = declared.filter(
    ({ file, code }) => !isErrorCode(code) && !innerCodes.includes(code) && !innerParts.test(file),
  )
  assert.deepEqual(homeless, [])
})

test('no row and no exception is stale', () => {
  const codes = new Set(declared.map(({ code }) => code))
  // Those that are given without a class, by the server itself.
  for (const code of ['internal', 'request_timeout', 'headers_too_large']) codes.add(code)
  assert.deepEqual(
    Object.keys(wireErrors).filter((code) => !codes.has(code)),
    [],
  )
  assert.deepEqual(
    innerCodes.filter((code) => !codes.has(code)),
    [],
  )
})

test('a failure takes its numbers from the table and, where it differs, from the interface', () => {
  const error = new InvalidParamsError([{ name: 'a', keyword: 'type', message: 'No.', value: 1 }])
  assert.deepEqual(toFailure(error), { code: 'invalid_params', status: 422, rpc: -32602, message: 'No.', error })
  assert.equal(toFailure(error, { invalid_params: 400 }).status, 400)
  const bug = toFailure(Object.assign(new Error('secret'), { code: 'invalid_params' }))
  assert.deepEqual([bug.code, bug.status, bug.error], ['internal', 500, undefined])
  assert.doesNotMatch(bug.message, /secret/)
})
