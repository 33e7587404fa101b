import { type Static, Type } from 'typebox'
import type { MethodRun } from '../../../chain/ports.ts'
import type { AccountReading } from '../readAccount.ts'
import { BlockIdView, toBlockIdView } from './BlockIdView.ts'
import { LegacyStackView, toLegacyStack } from './LegacyStackView.ts'
import { typeName } from './scalars.ts'
import { TransactionIdView, toTransactionIdView } from './TransactionIdView.ts'
import { TypedEntryView, toTypedStack } from './TypedStackView.ts'

type Run = Pick<MethodRun, 'exitCode' | 'gasUsed' | 'stack'>

const runMembers = {
  '@type': typeName('smc.runResult'),
  gas_used: Type.Integer({ examples: [549] }),
  exit_code: Type.Integer({ description: '0 and 1 are success.', examples: [0] }),
}

export const RunResultView = Type.Object(
  { ...runMembers, stack: LegacyStackView, block_id: BlockIdView, last_transaction_id: TransactionIdView },
  { $id: 'RunResult', description: 'What a get-method left, and of which state.' },
)

export const toRunResultView = (
  { exitCode, gasUsed, stack }: Run,
  { block, found }: Pick<AccountReading, 'block' | 'found'>,
): Static<typeof RunResultView> => ({
  '@type': 'smc.runResult',
  gas_used: gasUsed,
  stack: toLegacyStack(stack),
  exit_code: exitCode,
  block_id: toBlockIdView(block),
  last_transaction_id: toTransactionIdView(found?.lastTransaction),
})

export const StdRunResultView = Type.Object(
  { ...runMembers, stack: Type.Array(TypedEntryView) },
  { $id: 'StdRunResult', description: 'What a get-method left.' },
)

export const toStdRunResultView = ({ exitCode, gasUsed, stack }: Run): Static<typeof StdRunResultView> => ({
  '@type': 'smc.runResult',
  gas_used: gasUsed,
  stack: toTypedStack(stack),
  exit_code: exitCode,
})
