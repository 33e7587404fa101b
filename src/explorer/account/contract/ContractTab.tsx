import { type AccountState, Code } from './Code.tsx'
import { Methods } from './Methods.tsx'

export type ContractTabProps = {
  readonly view: 'methods' | 'code'
  readonly raw: string
  readonly state: AccountState | undefined
}

/** What is only loaded for those who look into a contract. */
export const ContractTab = ({ view, raw, state }: ContractTabProps) =>
  view === 'methods' ? <Methods raw={raw} ids={state?.contract_methods ?? null} /> : <Code raw={raw} state={state} />
