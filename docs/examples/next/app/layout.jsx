export const metadata = { title: "Heads", icons: "/figure.svg" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
