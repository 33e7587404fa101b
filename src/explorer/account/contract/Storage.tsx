import { useMemo } from 'preact/hooks'
import { readCellTree } from '../../model/cellTree.ts'
import { readStorage, type StorageField } from '../../model/storageLayouts.ts'
import { Card, CopyButton, Empty, Facts } from '../../parts/basics.tsx'
import { CellTree } from '../../parts/CellTree.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { CellValue, NumberValue } from './StackValue.tsx'

type StorageProps = { readonly interfaces: readonly string[]; readonly boc: string | undefined }

/** The data of a contract: by name where its layout is known, and as cells. */
export const Storage = ({ interfaces, boc }: StorageProps) => {
  const data = useMemo(() => (boc === undefined ? undefined : readCellTree(boc)), [boc])
  const storage = useMemo(() => data && readStorage(interfaces, data), [data, interfaces.join()])
  if (data === undefined) {
    return (
      <Card title="Storage">
        <Empty icon="gauge">The account has no data.</Empty>
      </Card>
    )
  }
  return (
    <Card title="Storage" aside={<span class="muted">{storage?.layout ?? 'unknown layout'}</span>}>
      {storage !== undefined && (
        <div class="storage-fields">
          <Facts facts={storage.fields.map((field) => [field.name.replaceAll('_', ' '), <FieldValue {...field} />])} />
        </div>
      )}
      <details class="code-block" open={storage === undefined}>
        <summary>
          <span class="method-name">Cells</span>
        </summary>
        <div class="storage">
          <p class="muted small">
            BOC <CopyButton text={boc!} what="data as a bag of cells" />
          </p>
          <CellTree root={data} />
        </div>
      </details>
    </Card>
  )
}

const FieldValue = ({ kind, value }: StorageField) => {
  if (value === null) return <span class="muted">{kind === 'address' ? 'none' : 'empty'}</span>
  if (typeof value === 'bigint') return <NumberValue number={value} kind={kind} />
  if (typeof value === 'string') return <AddressLink raw={value} hasCopy hasKind />
  return <CellValue cell={value} boc={undefined} kind="cell" />
}
