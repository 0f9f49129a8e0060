import { Component, type ReactNode } from "react"

interface ErrorBoundaryProps {
  /** The identity of the content: a new one clears the failure. */
  of?: string
  /** Shown instead of a part that failed to render. */
  fallback(error: Error): ReactNode
  children: ReactNode
}

/** Limits a rendering failure to the part where it happened. A class, because React has no other way to catch. */
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
