import { render } from 'preact'
import { App } from './App.tsx'
import './explorer.css'

render(<App />, document.getElementById('page')!)
