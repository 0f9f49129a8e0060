import { Component, type ReactNode } from "react"

interface ErrorBoundaryProps {
  /** What is shown: the failure of one thing is none of the next. */
  of?: string
  /** Shown instead of a part that failed to render. */
  fallback(error: Error): ReactNode
  children: ReactNode
}

/** Keeps a failure while rendering to the part it happened in. A class, because React catches in no other way. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.error && before.of !== this.props.of) this.setState({ error: null })
  }

  override render() {
    return this.state.error ? this.props.fallback(this.state.error) : this.props.children
  }
}
