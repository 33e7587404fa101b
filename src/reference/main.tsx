import '../explorer/explorer.css'
import './reference.css'
import { render } from 'preact'
import { Reference } from './Reference.tsx'
import type { ReferenceSetup } from './ReferenceSetup.ts'

const text = document.querySelector<HTMLMetaElement>('meta[name="setup"]')?.content ?? '{}'

render(<Reference setup={JSON.parse(text) as ReferenceSetup} />, document.getElementById('page')!)
