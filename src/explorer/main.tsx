import { render } from 'preact'
import { App } from './App.tsx'
import './explorer.css'
import './account/account.css'
import './debugger/debugger.css'
import './tokens/tokens.css'
import './webhooks/webhooks.css'

render(<App />, document.getElementById('page')!)
