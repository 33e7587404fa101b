import { type Static, Type } from 'typebox'
import type { MethodRun } from '../../../chain/ports.ts'
import { getMethodId } from '../../../codec/tlb/VmValue.ts'
import type { JsonValue } from '../../core/json/parseJson.ts'
import { optional, param, withDefault } from '../../core/params.ts'
import { unreadable } from '../errors.ts'
import { readLegacyStack, readTypedStack } from '../getMethods/readStack.ts'
import { runAccountMethod } from '../getMethods/runMethod.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { type AccountReading, readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/blocks.ts'
import { TransactionIdView, toTransactionIdView, typeName } from '../views/scalars.ts'
import { LegacyStackView, TypedEntryView, toLegacyStack, toTypedStack } from '../views/stacks.ts'

const numberPattern = /^-?(?:0x[0-9a-f]{1,8}|[0-9]{1,10})$/i

/** A get-method by name or numeric id. */
const MethodParam = param(
  Type.Union([Type.String(), Type.Integer()], {
    description: 'Get-method name or id.',
    examples: ['seqno', 85_143],
  }),
  (method): number => {
    if (typeof method === 'number') {
      if (method !== (method | 0)) throw unreadable('failed to parse method')
      return method
    }
    const number = numberPattern.test(method) ? toNumber(method) : undefined
    // A text that only looks like a number is a name.
    return number !== undefined && number === (number | 0) ? number : getMethodId(method)
  },
)

const toNumber = (text: string): number => (text.startsWith('-') ? -Number(text.slice(1)) : Number(text))

const Entry = Type.Unsafe<JsonValue>(Type.Unknown())

/** Arguments; parsed by the handler, since some have their own errors. */
const LegacyStackParam = param(
  Type.Array(Entry, {
    description: 'Arguments as [type, value] pairs, bottom of the stack first.',
    examples: [[['num', '5']], [['tvm.Cell', 'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=']]],
  }),
)

/** Arguments as typed objects. */
const TypedStackParam = param(
  Type.Array(Entry, {
    description: 'Arguments as typed objects, bottom of the stack first.',
    examples: [[{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '5' } }]],
  }),
)

type Run = Pick<MethodRun, 'exitCode' | 'gasUsed' | 'stack'>

const runMembers = {
  '@type': typeName('smc.runResult'),
  gas_used: Type.Integer({ examples: [549] }),
  exit_code: Type.Integer({ description: 'TVM exit code; 0 and 1 mean success.', examples: [0] }),
}

const RunResultView = Type.Object(
  { ...runMembers, stack: LegacyStackView, block_id: BlockIdView, last_transaction_id: TransactionIdView },
  { $id: 'RunResult', description: 'Result of a get-method, with the block and transaction of the state.' },
)

const toRunResultView = async (
  { exitCode, gasUsed, stack }: Run,
  { block, found }: Pick<AccountReading, 'block' | 'found'>,
): Promise<Static<typeof RunResultView>> => ({
  '@type': 'smc.runResult',
  gas_used: gasUsed,
  stack: await toLegacyStack(stack),
  exit_code: exitCode,
  block_id: toBlockIdView(block),
  last_transaction_id: toTransactionIdView(found?.lastTransaction),
})

const StdRunResultView = Type.Object(
  { ...runMembers, stack: Type.Array(TypedEntryView) },
  { $id: 'StdRunResult', description: 'Result of a get-method.' },
)

const toStdRunResultView = async ({ exitCode, gasUsed, stack }: Run): Promise<Static<typeof StdRunResultView>> => ({
  '@type': 'smc.runResult',
  gas_used: gasUsed,
  stack: await toTypedStack(stack),
  exit_code: exitCode,
})

export const runGetMethod = v2Endpoint({
  name: 'runGetMethod',
  methods: ['POST'],
  tags: ['get-methods'],
  summary: 'Run a get-method of a contract.',
  params: {
    address: AddressParam,
    method: MethodParam,
    stack: withDefault(LegacyStackParam, []),
    seqno: optional(SeqnoParam),
  },
  result: RunResultView,
  errors: ['unsupported_stack_entry', 'stack_too_deep', 'stack_too_large'],
  // The configuration is always that of the newest block.
  lifetime: () => 'head',
  async handle(context, { address, method, stack, seqno }) {
    const values = readLegacyStack(stack)
    const account = await readAccount(context.node, address, seqno)
    return toRunResultView(await runAccountMethod(context, address, account, method, values), account)
  },
})

export const runGetMethodStd = v2Endpoint({
  name: 'runGetMethodStd',
  methods: ['POST'],
  tags: ['get-methods'],
  summary: 'Run a get-method of a contract, with typed arguments and results.',
  params: {
    address: AddressParam,
    method: MethodParam,
    stack: withDefault(TypedStackParam, []),
    seqno: optional(SeqnoParam),
  },
  result: StdRunResultView,
  errors: ['stack_too_deep', 'stack_too_large'],
  // The configuration is always that of the newest block.
  lifetime: () => 'head',
  async handle(context, { address, method, stack, seqno }) {
    const values = readTypedStack(stack)
    const account = await readAccount(context.node, address, seqno)
    return toStdRunResultView(await runAccountMethod(context, address, account, method, values))
  },
})
