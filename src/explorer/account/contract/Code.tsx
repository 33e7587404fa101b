import { callServer, callV3, type V3Result } from '../../fetch/requests.ts'
import { useRequest } from '../../live/usePolling.ts'
import { describeKind } from '../../model/addressBook.ts'
import { hashToHex } from '../../model/addresses.ts'
import { buildCodeTree, type CodeNode } from '../../model/codeTree.ts'
import { Badge, Card, CopyButton, Empty, Facts, Failure, Loading } from '../../parts/basics.tsx'
import { Hash } from '../../parts/links.tsx'
import { setup } from '../../setup.ts'
import { SameCode } from './SameCode.tsx'
import { Storage } from './Storage.tsx'

export type AccountState = V3Result<'accountStates'>['accounts'][number]

type ListedMethod = { readonly method: string; readonly id: number; readonly instructions: readonly string[] }

type Listing = { readonly instructions: readonly string[]; readonly methods: readonly ListedMethod[] }

type CodeProps = { readonly raw: string; readonly state: AccountState | undefined }

/** The interfaces of a contract, its storage, its instructions, and where the same code is. */
export const Code = ({ raw, state }: CodeProps) => {
  const hashes = `${state?.code_hash} ${state?.data_hash}`
  const { value, error } = useRequest(`code of ${raw} ${hashes}`, async (signal) => {
    const { result } = await callV3('accountStates', { address: [raw], include_boc: true }, signal)
    const { code_boc: code, data_boc: data } = result.accounts[0] ?? {}
    if (code === undefined) return { listing: null, data }
    const { body } = await callServer('/disassemble', { boc: code }, { method: 'POST', signal })
    return { listing: body as Listing, data }
  })
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { listing, data } = value
  if (listing === null || state === undefined) {
    return (
      <Card>
        <Empty icon="gauge">The account has no code.</Empty>
      </Card>
    )
  }
  return (
    <div class="contract-parts">
      <Card title="Contract">
        <Facts
          facts={[
            [
              'Interfaces',
              state.interfaces.length === 0 ? (
                <span class="muted">none known</span>
              ) : (
                state.interfaces.map((kind) => (
                  <Badge key={kind} tone="accent" title={kind}>
                    {describeKind(kind)}
                  </Badge>
                ))
              ),
            ],
            state.code_hash !== undefined && [
              'Code hash',
              <Hash hash={state.code_hash} what="hash of the code" isWhole />,
            ],
            state.data_hash !== undefined && [
              'Data hash',
              <Hash hash={state.data_hash} what="hash of the data" isWhole />,
            ],
            setup.hasDebugger &&
              state.code_hash !== undefined && ['Text', <CodeTexts codeHash={hashToHex(state.code_hash)} />],
          ]}
        />
      </Card>
      <Storage interfaces={state.interfaces} boc={data} />
      <Card title="Instructions">
        <Block name="Entry" lines={listing.instructions} isOpen={listing.methods.length === 0} />
        {listing.methods.map(({ method, id, instructions }) => (
          <Block key={id} name={method} id={id} lines={instructions} isOpen={false} />
        ))}
      </Card>
      {state.code_hash !== undefined && <SameCode raw={raw} codeHash={state.code_hash} />}
    </div>
  )
}

/** The whole code as text, for an assembler. */
const CodeTexts = ({ codeHash }: { readonly codeHash: string }) => (
  <>
    {(['fift', 'tasm'] as const).map((format) => (
      <a
        key={format}
        href={`${setup.base}/api/debug/v1/code/${codeHash}?format=${format}`}
        target="_blank"
        rel="noreferrer"
      >
        {format}
      </a>
    ))}
  </>
)

type BlockProps = {
  readonly name: string
  readonly id?: number
  readonly lines: readonly string[]
  readonly isOpen: boolean
}

const Block = ({ name, id, lines, isOpen }: BlockProps) => (
  <details class="code-block" open={isOpen}>
    <summary>
      <span class="method-name mono">{name}</span>
      {id !== undefined && <span class="method-id mono muted">{id}</span>}
      <span class="muted small">{lines.length} lines</span>
    </summary>
    <div class="code-lines mono">
      <CopyButton text={lines.join('\n')} what="instructions" />
      <Lines nodes={buildCodeTree(lines)} />
    </div>
  </details>
)

const Lines = ({ nodes }: { readonly nodes: readonly CodeNode[] }) => (
  <>
    {nodes.map(({ offset, text, children }, index) => {
      const line = (
        <>
          <span class="code-offset muted">{offset}</span>
          <span class="code-text">{text}</span>
        </>
      )
      const key = `${index} ${text}`
      if (children.length === 0) {
        return (
          <div key={key} class="code-line">
            {line}
          </div>
        )
      }
      return (
        <details key={key} class="code-fold">
          <summary class="code-line">{line}</summary>
          <div class="code-inner">
            <Lines nodes={children} />
          </div>
        </details>
      )
    })}
  </>
)
